"""One file through Blender: blender -b --factory-startup --python trip.py -- IN.glb OUT.glb SETTINGS

SETTINGS: documented (docs/gltf.md, "Through Blender"), ticked (as Blender comes, but for the export's Custom Properties
and Punctual Lights), default.
"""
import sys

import numpy

# Names that the add-on of Debian's Blender still uses, and its numpy no longer has.
for name, kind in (("bool", bool), ("int", int), ("float", float), ("object", object)):
    if name not in numpy.__dict__:
        setattr(numpy, name, kind)

import bpy  # noqa: E402

source, target, settings = sys.argv[sys.argv.index("--") + 1:]
importing, exporting = {}, {}
if settings == "documented":
    importing = {"bone_heuristic": "BLENDER", "guess_original_bind_pose": False}
    exporting = {"export_extras": True, "export_tangents": True, "export_lights": True}
elif settings == "ticked":
    exporting = {"export_extras": True, "export_lights": True}

bpy.ops.wm.read_factory_settings(use_empty=True)
if settings == "documented":
    bpy.context.scene.render.fps = 30
bpy.ops.import_scene.gltf(filepath=source, **importing)
if settings == "documented":
    for thing in bpy.context.scene.objects:
        if thing.type == "MESH" and thing.data.color_attributes:
            bpy.context.view_layer.objects.active = thing
            thing.data.attributes.active = thing.data.color_attributes[0]
            bpy.ops.geometry.attribute_convert(mode="GENERIC", domain="POINT", data_type="FLOAT_COLOR")
bpy.ops.export_scene.gltf(filepath=target, **exporting)
