"""Models as people make them: blender -b --factory-startup --python varied.py -- FOLDER

Each is exported by Blender's own exporter as it comes.
"""
import math
import pathlib
import sys

import numpy

# Names that the add-on of Debian's Blender still uses, and its numpy no longer has.
for name, kind in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if name not in numpy.__dict__:
        setattr(numpy, name, kind)

import bpy  # noqa: E402

folder = pathlib.Path(sys.argv[sys.argv.index("--") + 1])


def material(name, color):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    made.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (*color, 1)
    return made


def cube(name="Cube", location=(0, 0, 0)):
    bpy.ops.mesh.primitive_cube_add(size=1, location=location)
    bpy.context.object.name = name
    bpy.context.object.data.name = name
    return bpy.context.object


def sphere(name, segments, rings):
    bpy.ops.mesh.primitive_uv_sphere_add(segments=segments, ring_count=rings)
    bpy.context.object.name = name
    return bpy.context.object


def armature(joints, length=0.1):
    """A chain of bones that goes up."""
    bpy.ops.object.armature_add()
    made = bpy.context.object
    bpy.ops.object.mode_set(mode="EDIT")
    bones = made.data.edit_bones
    bones.remove(bones[0])
    last = None
    for i in range(joints):
        bone = bones.new(f"Bone.{i:03}")
        bone.head, bone.tail = (0, 0, i * length), (0, 0, (i + 1) * length)
        bone.parent = last
        last = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return made


def bind(mesh, skeleton):
    """Each vertex to the bone at its height."""
    names = [bone.name for bone in skeleton.data.bones]
    top = skeleton.data.bones[-1].tail_local.z
    for vertex in mesh.data.vertices:
        at = min(max(vertex.co.z / top, 0), 0.999) * len(names)
        name = names[int(at)]
        group = mesh.vertex_groups.get(name) or mesh.vertex_groups.new(name=name)
        group.add([vertex.index], 1, "REPLACE")
    mesh.parent = skeleton
    mesh.modifiers.new("Armature", "ARMATURE").object = skeleton


def tower(rings):
    """A tube of many quads."""
    points, faces = [], []
    for ring in range(rings + 1):
        points += [(0.2 * math.cos(a * math.pi / 4), 0.2 * math.sin(a * math.pi / 4), ring * 0.1) for a in range(8)]
    for ring in range(rings):
        faces += [(8 * ring + a, 8 * ring + (a + 1) % 8, 8 * ring + 8 + (a + 1) % 8, 8 * ring + 8 + a) for a in range(8)]
    mesh = bpy.data.meshes.new("tower")
    mesh.from_pydata(points, [], faces)
    made = bpy.data.objects.new("tower", mesh)
    bpy.context.collection.objects.link(made)
    return made


def several_materials():
    made = cube()
    for name, color in (("red", (1, 0, 0)), ("green", (0, 1, 0)), ("blue", (0, 0, 1))):
        made.data.materials.append(material(name, color))
    for face in made.data.polygons:
        face.material_index = face.index % 3


def vertex_colors():
    made = cube()
    made.data.vertex_colors.new(name="Col")
    for i, one in enumerate(made.data.vertex_colors[0].data):
        one.color = (i % 5 / 4, i % 3 / 2, 1, 1)


def no_texture_coordinates():
    made = cube()
    made.data.uv_layers.remove(made.data.uv_layers[0])


def polygons():
    bpy.ops.mesh.primitive_cylinder_add(vertices=11, end_fill_type="NGON")


def mirrored_parts():
    cube("left", (2, 0, 0))
    other = cube("right", (-2, 0, 0))
    other.scale = (-1, 1, 1)
    other.parent = bpy.data.objects["left"]


def many_vertices():
    sphere("planet", 320, 240)


def many_joints():
    skeleton = armature(300)
    bind(tower(300), skeleton)


def unusual_names():
    cube("Rümpf / части \"1\" & <2>.001").data.materials.append(material("матérial #1/<x>", (0.5, 0.5, 0.5)))
    cube("a" * 60, (0, 2, 0))
    cube(" ", (0, 4, 0))


def skinned_and_moving():
    skeleton = armature(3)
    bind(tower(3), skeleton)
    bpy.context.view_layer.objects.active = skeleton
    for frame, angle in ((1, 0), (12, 0.5), (24, 0)):
        bone = skeleton.pose.bones[1]
        bone.rotation_mode = "QUATERNION"
        bone.rotation_quaternion = (math.cos(angle / 2), math.sin(angle / 2), 0, 0)
        bone.keyframe_insert("rotation_quaternion", frame=frame)


def shape_keys():
    made = cube()
    made.shape_key_add(name="Basis")
    key = made.shape_key_add(name="smile")
    for point in key.data[:4]:
        point.co.x += 0.5


def loose_parts():
    mesh = bpy.data.meshes.new("wires")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 3)], [(0, 1, 2)])
    bpy.context.collection.objects.link(bpy.data.objects.new("wires", mesh))


def two_uv_sets():
    made = cube()
    made.data.uv_layers.new(name="second")
    made.data.materials.append(material("plain", (0.8, 0.8, 0.8)))


def nothing_to_see():
    bpy.ops.object.empty_add()


models = (several_materials, vertex_colors, no_texture_coordinates, polygons, mirrored_parts, many_vertices,
          many_joints, unusual_names, skinned_and_moving, shape_keys, loose_parts, two_uv_sets, nothing_to_see)
for make in models:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    make()
    bpy.ops.export_scene.gltf(filepath=str(folder / f"{make.__name__}.glb"))
