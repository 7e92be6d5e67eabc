/// Reads OBJ, MTL and PLY.

#include "mesh_files/readers.hpp"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <sstream>

#include "contents.hpp"
#include "mesh_files/scenes.hpp"

namespace effigy::test {

namespace {

template <std::size_t Size>
std::array<double, Size> read_numbers(std::istringstream& line) {
    std::array<double, Size> numbers{};
    for (double& number : numbers) EXPECT_TRUE(line >> number) << line.str();
    std::string more;
    EXPECT_FALSE(line >> more) << line.str();
    return numbers;
}

ObjCorner read_corner(const std::string& text) {
    ObjCorner corner;
    std::array<int*, 3> numbers{&corner.position, &corner.texcoord, &corner.normal};
    std::istringstream stream(text);
    std::string part;
    for (std::size_t i = 0; std::getline(stream, part, '/'); ++i) {
        if (i >= numbers.size()) {
            ADD_FAILURE() << text;
            break;
        }
        if (!part.empty()) *numbers[i] = std::stoi(part);
    }
    return corner;
}

void expect_inside(int number, std::size_t count, const std::string& line) {
    EXPECT_GE(number, 0) << line;
    EXPECT_LE(static_cast<std::size_t>(number), count) << line;
}

class PlyReader {
public:
    explicit PlyReader(std::string text) : text_(std::move(text)) {}

    Ply read() {
        read_header();
        for (std::size_t i = 0; i < vertices_; ++i) ply_.vertices.push_back(read_vertex());
        for (std::size_t i = 0; i < faces_; ++i) {
            EXPECT_EQ(take<std::uint8_t>(), 3);
            ply_.faces.push_back({take<std::int32_t>(), take<std::int32_t>(), take<std::int32_t>()});
        }
        EXPECT_EQ(place_, text_.size()) << "bytes are left over, or missing";
        return std::move(ply_);
    }

private:
    void read_header() {
        const std::string end = "end_header\n";
        const std::size_t size = text_.find(end);
        ASSERT_NE(size, std::string::npos);
        std::istringstream header(text_.substr(0, size));
        place_ = size + end.size();
        std::string line, element;
        std::getline(header, line);
        EXPECT_EQ(line, "ply");
        std::getline(header, line);
        EXPECT_EQ(line, "format binary_little_endian 1.0");
        while (std::getline(header, line)) {
            std::istringstream words(line);
            std::string keyword, type, name;
            words >> keyword;
            if (keyword == "element") {
                words >> element;
                words >> (element == "vertex" ? vertices_ : faces_);
            } else if (keyword == "property" && element == "vertex") {
                words >> type >> name;
                ply_.properties.push_back(name);
                types_.push_back(type);
            } else if (keyword == "property") {
                EXPECT_EQ(line, "property list uchar int vertex_indices");
            } else {
                EXPECT_EQ(keyword, "comment") << line;
            }
        }
    }

    std::vector<double> read_vertex() {
        std::vector<double> numbers;
        for (const std::string& type : types_) {
            EXPECT_TRUE(type == "float" || type == "uchar") << type;
            numbers.push_back(type == "float" ? static_cast<double>(take<float>()) : take<std::uint8_t>());
        }
        return numbers;
    }

    template <class Value>
    Value take() {
        Value value{};
        if (place_ + sizeof value <= text_.size()) std::memcpy(&value, text_.data() + place_, sizeof value);
        place_ += sizeof value;
        return value;
    }

    std::string text_;
    std::size_t place_ = 0, vertices_ = 0, faces_ = 0;
    std::vector<std::string> types_;
    Ply ply_;
};

}  // namespace

std::vector<ObjFace> Obj::faces_of(const std::string& object) const {
    std::vector<ObjFace> found;
    std::copy_if(faces.begin(), faces.end(), std::back_inserter(found),
                 [&](const ObjFace& face) { return face.object == object; });
    return found;
}

Obj read_obj(const std::filesystem::path& path) {
    Obj obj;
    std::string material;
    std::istringstream text(read_text(path));
    for (std::string row; std::getline(text, row);) {
        std::istringstream line(row);
        std::string keyword, rest;
        if (!(line >> keyword) || keyword.starts_with('#')) continue;
        if (keyword == "v") {
            obj.positions.push_back(read_numbers<3>(line));
        } else if (keyword == "vn") {
            obj.normals.push_back(read_numbers<3>(line));
        } else if (keyword == "vt") {
            obj.texcoords.push_back(read_numbers<2>(line));
        } else if (keyword == "f") {
            ObjFace face{obj.objects.empty() ? "" : obj.objects.back(), material, {}};
            while (line >> rest) face.corners.push_back(read_corner(rest));
            for (const ObjCorner& corner : face.corners) {
                EXPECT_GE(corner.position, 1) << row;
                expect_inside(corner.position, obj.positions.size(), row);
                expect_inside(corner.texcoord, obj.texcoords.size(), row);
                expect_inside(corner.normal, obj.normals.size(), row);
            }
            obj.faces.push_back(face);
        } else if (keyword == "l" || keyword == "p") {
            std::vector<int> corners;
            while (line >> rest) corners.push_back(read_corner(rest).position);
            (keyword == "l" ? obj.lines : obj.points).push_back(corners);
        } else {
            std::getline(line >> std::ws, rest);
            if (keyword == "o") {
                obj.objects.push_back(rest);
            } else if (keyword == "mtllib") {
                obj.libraries.push_back(rest);
            } else if (keyword == "usemtl") {
                material = rest;
            } else {
                ADD_FAILURE() << "not understood: " << row;
            }
        }
    }
    return obj;
}

Mtl read_mtl(const std::filesystem::path& path) {
    Mtl mtl;
    std::string material;
    std::istringstream text(read_text(path));
    for (std::string row; std::getline(text, row);) {
        std::istringstream line(row);
        std::string keyword, rest;
        if (!(line >> keyword) || keyword.starts_with('#')) continue;
        std::getline(line >> std::ws, rest);
        if (keyword == "newmtl") {
            material = rest;
            EXPECT_TRUE(mtl.try_emplace(material).second) << material << " is there twice";
        } else {
            EXPECT_TRUE(mtl[material].try_emplace(keyword, rest).second) << row;
        }
    }
    return mtl;
}

bool Ply::has(const std::string& property) const {
    return std::find(properties.begin(), properties.end(), property) != properties.end();
}

double Ply::at(std::size_t vertex, const std::string& property) const {
    const auto found = std::find(properties.begin(), properties.end(), property);
    if (found == properties.end() || vertex >= vertices.size()) {
        ADD_FAILURE() << "no " << property << " of vertex " << vertex;
        return 0;
    }
    return vertices[vertex][static_cast<std::size_t>(found - properties.begin())];
}

Ply read_ply(const std::filesystem::path& path) { return PlyReader(read_text(path)).read(); }

}  // namespace effigy::test
