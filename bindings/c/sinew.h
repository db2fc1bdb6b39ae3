/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sinew in C: stretchable, twistable bones for any character. One header, one library (sinew_c).
 *
 *   sinew_rig* rig = NULL;
 *   sinew_deformer* deformer = NULL;
 *   sinew_pose* pose = NULL;
 *   if (sinew_rig_read("hero.glb", &rig) || sinew_deformer_create(rig, NULL, &deformer) ||
 *       sinew_pose_create(rig, NULL, &pose) || sinew_pose_play(pose, 0, 0.5)) {
 *     fprintf(stderr, "%s\n", sinew_last_error());
 *   }
 *   sinew_output output = {.struct_size = sizeof output};
 *   output.vertex_count = ...;
 *   output.positions = my_floats;
 *   sinew_deformer_deform(deformer, pose, &output);
 *
 * Status. Every function that can fail returns a sinew_status: 0 (SINEW_OK) if it did what it says.
 * If it did not, nothing has changed, results are NULL or 0, and sinew_last_error() has the
 * message.
 *
 * Handles are opaque, made by functions that end in a pointer to one, and freed by their own
 * ..._free(). They are not addresses: NULL, a handle that was freed and a handle of another kind
 * are all recognised, and answered with SINEW_ERROR_HANDLE. Handles do not depend on each other: a
 * pose or a deformer keeps what it needs of the rig it was made for, as the rig was then.
 *
 * Arrays are described by sinew_array: a pointer, a count, a stride in bytes, and the type of the
 * numbers. What you pass in is copied, in any type of number. What you get is not copied: it
 * belongs to the handle, and is valid until the handle is freed or changed; each function says by
 * what.
 *
 * Option structs begin with their size: set `struct_size` to sizeof the struct, and the rest to 0
 * but for what you want. 0 and NULL mean the default everywhere. A NULL pointer for the whole
 * struct means all defaults. Later versions add members at the end, and old programs go on working.
 *
 * Strings are UTF-8 and end with 0. Strings passed in are copied.
 *
 * Numbers: metres, y up, right-handed; vertex v, joint j, bone b count from 0, -1 is none. A
 * transform is ten numbers: translation (3), rotation as a quaternion x, y, z, w (4), scale (3). A
 * frame is twelve: the columns x, y, z of a 3x3 matrix, then the translation. Times are seconds,
 * angles radians, but degrees in JSON.
 *
 * Threads. Every function may be called from any thread. Functions that take the same handle at the
 * same time are safe, but pointers into a rig, pose or image end with the next change of it, so
 * whoever keeps one must see to it that nobody else changes that handle. Calls on one pose,
 * deformer or puppet wait for each other: give each thread its own. Messages are kept per thread.
 * Results have the same bits whatever the number of threads.
 */
#ifndef SINEW_C_H
#define SINEW_C_H

#include <stddef.h>
#include <stdint.h>

#define SINEW_VERSION_MAJOR 0
#define SINEW_VERSION_MINOR 1
#define SINEW_VERSION_PATCH 0
#define SINEW_VERSION "0.1.0"

#if defined(_WIN32)
#if defined(SINEW_C_BUILD)
#define SINEW_API __declspec(dllexport)
#else
#define SINEW_API __declspec(dllimport)
#endif
#else
#define SINEW_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What became of a call. */
typedef enum sinew_status {
  SINEW_OK = 0,
  SINEW_ERROR_USAGE = 1,   /* a NULL pointer, or a name or number that makes no sense */
  SINEW_ERROR_INPUT = 2,   /* data or a file that breaks a rule; the message names the place */
  SINEW_ERROR_FILE = 3,    /* the operating system refused */
  SINEW_CANCELLED = 4,     /* the progress callback asked to stop */
  SINEW_ERROR_MEMORY = 5,  /* there is not enough memory */
  SINEW_ERROR_HANDLE = 6,  /* a handle that is NULL, was freed, or is of another kind */
  SINEW_ERROR_INTERNAL = 7 /* a fault of the library: please report it */
} sinew_status;

/* The type of the numbers in an array. */
typedef enum sinew_type {
  SINEW_NONE = 0, /* of an array that is not there */
  SINEW_FLOAT32 = 1,
  SINEW_FLOAT64 = 2,
  SINEW_INT8 = 3,
  SINEW_UINT8 = 4,
  SINEW_INT16 = 5,
  SINEW_UINT16 = 6,
  SINEW_INT32 = 7,
  SINEW_UINT32 = 8,
  SINEW_INT64 = 9,
  SINEW_UINT64 = 10
} sinew_type;

/* Elements in memory. Element i begins i * stride bytes after `data`, and has `components` numbers
 * side by side. All 0: there is none. */
typedef struct sinew_array {
  const void* data;
  size_t count;        /* elements */
  size_t stride;       /* bytes; 0 when passed in: tightly packed */
  uint32_t components; /* numbers in an element; 0 when passed in: as many as expected */
  uint32_t type;       /* a sinew_type */
} sinew_array;

/* A mesh, a skeleton, what ties them, and clips. */
typedef struct sinew_rig sinew_rig;
/* The joints, shapes and controls of a rig at one moment, and where the bones are then. */
typedef struct sinew_pose sinew_pose;
/* A skeleton prepared for handles that are dragged. */
typedef struct sinew_ik sinew_ik;
/* A rig bound to a method. */
typedef struct sinew_deformer sinew_deformer;
/* A rig as a GPU reads it. */
typedef struct sinew_gpu_skin sinew_gpu_skin;
/* A picture in memory. */
typedef struct sinew_image sinew_image;
/* A picture with bones. */
typedef struct sinew_puppet sinew_puppet;
/* Weights that are being painted. */
typedef struct sinew_painter sinew_painter;
/* Bytes that the library made: a file, or JSON. */
typedef struct sinew_buffer sinew_buffer;

/* Called now and then by what takes long, from the thread that made the call, with what is being
 * done and how much of the whole is done (0 to 1). A result other than 0 cancels: the call then
 * ends with SINEW_CANCELLED. It may call other functions. NULL where there is none. */
typedef int (*sinew_progress)(void* user, const char* stage, double fraction);

/* ---- The library ---- */

/* The version of the library that is loaded, as in "0.1.0"; SINEW_VERSION is that of the header.
 * Threads: any. */
SINEW_API const char* sinew_version(void);

/* The message of the last call that failed on this thread, without a line break; "" before the
 * first. Valid until the next failure on this thread. Threads: each has its own. */
SINEW_API const char* sinew_last_error(void);

/* The name of a status, as in "SINEW_ERROR_INPUT"; "unknown" for another number. Threads: any. */
SINEW_API const char* sinew_status_name(int status);

/* How many threads one call may use; 0: all that the machine has, which is the default. Applies to
 * the whole library. Threads: any; calls that are under way may use either number. */
SINEW_API sinew_status sinew_set_thread_count(int count);

/* How many threads one call uses. Threads: any. */
SINEW_API sinew_status sinew_get_thread_count(int* count);

/* How many handles of all kinds there are that were not freed; 0 if none leaks. Threads: any. */
SINEW_API sinew_status sinew_handle_count(size_t* count);

/* ---- Buffers: bytes that the library made ---- */

/* The bytes of a buffer, followed by a 0 that `size` does not count. Either result may be NULL.
 * Valid until the buffer is freed: it never changes. Threads: any. */
SINEW_API sinew_status sinew_buffer_data(const sinew_buffer* buffer, const char** data,
                                         size_t* size);

/* Frees a buffer; NULL is fine. Threads: any. */
SINEW_API sinew_status sinew_buffer_free(sinew_buffer* buffer);

/* ---- Rigs: files ---- */

/* Reads a file; its extension decides: a mesh (.obj, .off, .ply, .mesh), a skeleton (.tgf), a
 * skeleton and its motion (.bvh), or all of it (.glb, .gltf). Threads: any. */
SINEW_API sinew_status sinew_rig_read(const char* path, sinew_rig** rig);

/* The same from memory; `format` is an extension, as in "glb". Files that a .gltf refers to are not
 * found. Threads: any. */
SINEW_API sinew_status sinew_rig_read_memory(const void* data, size_t size, const char* format,
                                             sinew_rig** rig);

/* Writes a file, completely or not at all: the whole rig to .glb or .gltf, the mesh to .obj, .off,
 * .ply or .mesh, the skeleton to .tgf, it and the first clip to .bvh. What else was in a glTF file
 * that the rig was read from (materials, textures, other meshes) is written, too. Threads: any. */
SINEW_API sinew_status sinew_rig_write(const sinew_rig* rig, const char* path);

/* The same into memory; `format` is an extension, as in "glb". Threads: any. */
SINEW_API sinew_status sinew_rig_write_memory(const sinew_rig* rig, const char* format,
                                              sinew_buffer** file);

/* How many built-in characters there are. Threads: any. */
SINEW_API sinew_status sinew_sample_count(size_t* count);

/* The name of a built-in character and a line about it; either may be NULL. Valid for ever.
 * Threads: any. */
SINEW_API sinew_status sinew_sample_info(size_t index, const char** name, const char** description);

/* A built-in character by name, with about so many vertices; 0: 5000. Threads: any. */
SINEW_API sinew_status sinew_rig_sample(const char* name, size_t vertices, sinew_progress progress,
                                        void* user, sinew_rig** rig);

/* A copy, to be changed on its own. Threads: any. */
SINEW_API sinew_status sinew_rig_copy(const sinew_rig* rig, sinew_rig** copy);

/* Frees a rig; NULL is fine. Poses and deformers made for it stay. Threads: any. */
SINEW_API sinew_status sinew_rig_free(sinew_rig* rig);

/* ---- Rigs: what is in them ---- */

/* Things that a rig has several of, and names of. The last value of this and of other enums is not
 * for use: it makes any number a valid one to pass, so that wrong ones can be refused. */
typedef enum sinew_item {
  SINEW_VERTEX = 0,
  SINEW_TRIANGLE = 1,
  SINEW_POLYGON = 2, /* 0 if all faces are triangles */
  SINEW_TETRAHEDRON = 3,
  SINEW_PART = 4,
  SINEW_JOINT = 5,
  SINEW_BONE = 6,      /* named after its joint */
  SINEW_INFLUENCE = 7, /* of all vertices together */
  SINEW_SHAPE = 8,
  SINEW_CLIP = 9,
  SINEW_CONTROL = 10,
  SINEW_DRIVER = 11,       /* joints that others or controls move */
  SINEW_NOTE = 12,         /* oddities of the file, and how they were read; the name is the note */
  SINEW_RIG = 13,          /* the rig itself: one */
  SINEW_MATERIAL = 14,     /* of each part */
  SINEW_CORRECTIVE = 15,   /* examples of poses that turn blend shapes on */
  SINEW_SHAPE_DRIVER = 16, /* blend shapes that angles or controls move */
  SINEW_ITEM_FORCE_INT = 0x7fffffff
} sinew_item;

/* How many there are. Threads: any. */
SINEW_API sinew_status sinew_rig_count(const sinew_rig* rig, sinew_item item, size_t* count);

/* The name of one; "" if it has none. Parts, joints, bones, shapes, clips, controls, notes,
 * materials and the rig have names. Valid until the rig is changed or freed. Threads: any. */
SINEW_API sinew_status sinew_rig_name(const sinew_rig* rig, sinew_item item, size_t index,
                                      const char** name);

/* The first with that name; -1 if there is none, which is no error. Threads: any. */
SINEW_API sinew_status sinew_rig_find(const sinew_rig* rig, sinew_item item, const char* name,
                                      int* index);

/* The arrays of a rig. Behind each: components, type. */
typedef enum sinew_field {
  SINEW_POSITIONS = 0,         /* 3 float64, per vertex, mesh space at bind time */
  SINEW_NORMALS = 1,           /* 3 float64, per vertex, or per value if there are normal corners */
  SINEW_NORMAL_CORNERS = 2,    /* 1 uint32, for each corner of each face, which normal */
  SINEW_UVS = 3,               /* 2 float64, v upwards, as normals */
  SINEW_UV_CORNERS = 4,        /* 1 uint32, as normal corners */
  SINEW_TANGENTS = 5,          /* 4 float64, per vertex, the last is the handedness */
  SINEW_COLORS = 6,            /* 4 float64, per vertex, linear red, green, blue, alpha */
  SINEW_TRIANGLES = 7,         /* 3 uint32 */
  SINEW_POLYGON_OFFSETS = 8,   /* 1 uint32, where each face begins, and the end of the last */
  SINEW_POLYGON_CORNERS = 9,   /* 1 uint32, their vertices */
  SINEW_TETRAHEDRA = 10,       /* 4 uint32 */
  SINEW_PART_TRIANGLES = 11,   /* 2 uint32, per part: first triangle, count */
  SINEW_JOINT_PARENTS = 12,    /* 1 int32, per joint; -1: a root */
  SINEW_JOINT_RESTS = 13,      /* 10 float64, per joint, against its parent */
  SINEW_BONE_JOINTS = 14,      /* 1 int32, per bone */
  SINEW_BONE_TAIL_JOINTS = 15, /* 1 int32, per bone; -1: its tail is not at a joint */
  SINEW_BONE_HEADS = 16,       /* 3 float64, per bone, mesh space at bind time */
  SINEW_BONE_TAILS = 17,       /* 3 float64 */
  SINEW_BONE_INVERSE_BINDS = 18, /* 12 float64, from mesh space into the joint's frame */
  SINEW_WEIGHT_OFFSETS =
      19, /* 1 uint64 (uint32 on 32 bits), where each vertex's influences begin, and the end */
  SINEW_WEIGHT_BONES = 20,     /* 1 int32, per influence */
  SINEW_WEIGHTS = 21,          /* 1 float64, per influence */
  SINEW_ENDPOINTS = 22,        /* 1 float64, per influence, 0 at the bone's head, 1 at its tail */
  SINEW_TWIST_ENDPOINTS = 23,  /* 1 float64, per influence */
  SINEW_STRETCH_FILTER = 24,   /* 2 float64, of the bone `index`: points of its curve */
  SINEW_TWIST_FILTER = 25,     /* 2 float64 */
  SINEW_SHAPE_VERTICES = 26,   /* 1 uint32, of the shape `index`: which vertices; none: all */
  SINEW_SHAPE_POSITIONS = 27,  /* 3 float64, how far each of these moves */
  SINEW_SHAPE_NORMALS = 28,    /* 3 float64 */
  SINEW_SHAPE_TANGENTS = 29,   /* 3 float64 */
  SINEW_SHAPE_DEFAULTS = 30,   /* 1 float64, per shape: its weight at rest */
  SINEW_CONTROL_DEFAULTS = 31, /* 1 float64, per control */
  SINEW_JOINT_TWIST_AXES = 32, /* 3 float64, per joint, in its own frame: a unit vector along its
                                  bone, about which it twists; 0 without a bone */
  SINEW_FIELD_FORCE_INT = 0x7fffffff
} sinew_field;

/* An array of a rig, as it lies in memory; all 0 if the rig does not have it. `index` says which
 * bone or shape where the field has one, and is 0 otherwise. Valid until the rig is changed or
 * freed. Threads: any. */
SINEW_API sinew_status sinew_rig_get(const sinew_rig* rig, sinew_field field, size_t index,
                                     sinew_array* array);

/* How each bone depends on others in a pose, as JSON: a list with an entry for each bone. "parent":
 * the bone that its twist is relative to. "own_share": how much of that twist it takes off along
 * itself. "next": the bone whose twist it takes up, and "next_share": how much of it.
 * "tail_carrier": the bone that moves its tail, itself if no other does. "end": the joint without a
 * bone that does so instead. -1: none. Threads: any. */
SINEW_API sinew_status sinew_rig_bone_links(const sinew_rig* rig, sinew_buffer** json);

/* The muscles of the rig's bones, as JSON: {"upper_arm.L": {"stretch": 1, "angle": {"joint":
 * "forearm.L", "range": [0, 120], "gain": 0.4}, "side": [0, 0, 1]}}, see docs/files.md. Threads:
 * any. */
SINEW_API sinew_status sinew_rig_muscles(const sinew_rig* rig, sinew_buffer** json);

/* What a channel of a clip moves. */
typedef enum sinew_target {
  SINEW_TRANSLATION = 0,   /* of a joint, against its parent: 3 numbers */
  SINEW_ROTATION = 1,      /* of a joint: a quaternion, 4 numbers */
  SINEW_SCALE = 2,         /* of a joint: 3 numbers */
  SINEW_SHAPE_WEIGHTS = 3, /* of the shapes from `index` on: any number of numbers */
  SINEW_CONTROL_VALUE = 4, /* 1 number */
  SINEW_EULER_ROTATION = 5 /* of a joint, by three angles with keys of their own; only read */
} sinew_target;

/* How a channel goes from key to key. */
typedef enum sinew_interpolation {
  SINEW_STEP = 0,
  SINEW_LINEAR = 1,
  SINEW_HERMITE = 2, /* cubic, with a slope per second before and after each key */
  SINEW_BEZIER = 3   /* cubic with handles; only read */
} sinew_interpolation;

/* One curve of a clip and what it moves. */
typedef struct sinew_channel {
  size_t struct_size;
  uint32_t target;        /* a sinew_target */
  uint32_t interpolation; /* a sinew_interpolation */
  int32_t index;          /* of the joint, shape or control */
  sinew_array times;      /* 1 number, seconds, ascending */
  sinew_array values;     /* one per key */
  sinew_array in_slopes;  /* HERMITE: one per key */
  sinew_array out_slopes;
} sinew_channel;

/* A clip's length in seconds, and how many channels it has; either may be NULL. Threads: any. */
SINEW_API sinew_status sinew_rig_clip(const sinew_rig* rig, size_t clip, double* duration,
                                      size_t* channels);

/* One channel of a clip. `values` is empty for SHAPE_WEIGHTS and EULER_ROTATION, and so are `times`
 * for the latter: pose the rig at a time instead. Set struct_size before. Valid until the rig is
 * changed or freed. Threads: any. */
SINEW_API sinew_status sinew_rig_channel(const sinew_rig* rig, size_t clip, size_t channel,
                                         sinew_channel* out);

/* ---- Rigs: building and changing them ---- */

/* A mesh as arrays, see sinew_field for what each has. Either triangles or polygons. */
typedef struct sinew_mesh_data {
  size_t struct_size;
  sinew_array positions;
  sinew_array triangles;
  sinew_array polygon_offsets, polygon_corners;
  sinew_array normals, normal_corners; /* corners missing: one normal per vertex */
  sinew_array uvs, uv_corners;
  sinew_array tangents;
  sinew_array colors; /* 3 or 4 components */
  sinew_array tetrahedra;
} sinew_mesh_data;

/* A skeleton, as joints or as points and segments between them. */
typedef struct sinew_skeleton_data {
  size_t struct_size;
  const char* const* joint_names; /* one per joint or point; NULL: none have names */
  sinew_array joint_parents;      /* 1 component; -1: a root */
  sinew_array joint_rests;        /* 10 components against the parent, or 3: translations alone */
  /* Bones; all missing: one for each joint, to its child or an inferred tail. */
  sinew_array bone_joints; /* 1 component */
  sinew_array bone_tails;  /* 3 components, mesh space, to the next bone that lies there; missing:
                              inferred */
  sinew_array bone_inverse_binds; /* 12 components; missing: bound at rest */
  /* Or: joints at these points, a bone for each segment. */
  sinew_array points;   /* 3 components */
  sinew_array segments; /* 2 components: from, to */
} sinew_skeleton_data;

/* Bone weights, in one of three forms:
 * - `offsets`, `bones` and `weights`: those of vertex v are offsets[v] to offsets[v + 1] - 1;
 * - `bones` and `weights` with as many components as a vertex has slots (as in glTF), where 0 is
 * none;
 * - `weights` alone, one component for each bone.
 * Endpoint weights have the form of the weights. */
typedef struct sinew_weights_data {
  size_t struct_size;
  sinew_array offsets;
  sinew_array bones;
  sinew_array weights;
  sinew_array endpoints;
  sinew_array twist_endpoints;
} sinew_weights_data;

/* A blend shape: how far vertices move at weight 1. */
typedef struct sinew_shape_data {
  size_t struct_size;
  const char* name;
  sinew_array vertices;  /* 1 component, ascending; missing: all of them */
  sinew_array positions; /* 3 components */
  sinew_array normals;   /* 3 components, or missing */
  double default_weight;
} sinew_shape_data;

/* A rig with nothing in it; `name` may be NULL. Threads: any. */
SINEW_API sinew_status sinew_rig_create(const char* name, sinew_rig** rig);

/* Replaces the mesh and its shapes. Weights are kept if the number of vertices is the same, and
 * dropped if not, as is what else was in the file. Changes the rig. Threads: any. */
SINEW_API sinew_status sinew_rig_set_mesh(sinew_rig* rig, const sinew_mesh_data* mesh);

/* Replaces the skeleton, and keeps what can be kept. Joints and bones are known by their names, the
 * first of a name by the first, and so on; what belongs to one that is gone, or has no name, is
 * dropped:
 * - weights and endpoint weights: those of other bones are scaled to the same sum; a vertex whose
 *   bones are all gone has none, and the rig has none if no vertex has;
 * - filters, muscles and twist shares; channels of clips, and clips without any; generalized bones;
 * limits;
 * - influence curves and their painted weights, all of them if one of their bones is gone.
 * Transforms in clips stay as they are, even if joints are elsewhere at rest. The mesh, shapes,
 * controls and the looks of parts stay: base colours and base textures, as PNG or JPEG. What else
 * was in the file (other textures and settings of materials, other nodes) is dropped.
 * SINEW_ERROR_FILE if a texture's file is missing. Changes the rig. Threads: any. */
SINEW_API sinew_status sinew_rig_set_skeleton(sinew_rig* rig, const sinew_skeleton_data* skeleton);

/* Replaces bone weights and both kinds of endpoint weights. Changes the rig. Threads: any. */
SINEW_API sinew_status sinew_rig_set_weights(sinew_rig* rig, const sinew_weights_data* weights);

/* Replaces all muscles, by JSON as sinew_rig_muscles() gives it; "{}": none. Bones and joints by
 * name or number. Changes the rig. Threads: any. */
SINEW_API sinew_status sinew_rig_set_muscles(sinew_rig* rig, const char* json);

/* Adds a blend shape at the end. Changes the rig. Threads: any. */
SINEW_API sinew_status sinew_rig_add_shape(sinew_rig* rig, const sinew_shape_data* shape);

/* Adds a free parameter to animate at the end. Changes the rig. Threads: any. */
SINEW_API sinew_status sinew_rig_add_control(sinew_rig* rig, const char* name,
                                             double default_value);

/* Adds a clip at the end. Changes the rig. Threads: any. */
SINEW_API sinew_status sinew_rig_add_clip(sinew_rig* rig, const char* name,
                                          const sinew_channel* channels, size_t channel_count);

/* Adds a clip through poses, or replaces the one of its name. The JSON has {"name", "loop", "keys":
 * [{"time": 0, "pose": {"joints": {...}}, "ease": "smooth"}, ...]}, poses as sinew_pose_set_json()
 * takes them by joints, with targets too, which are solved 60 times a second. Where a pose
 * stretches a bone without a joint at its end, one is added. Changes the rig. Threads: any. */
SINEW_API sinew_status sinew_rig_add_keys(sinew_rig* rig, const char* json);

/* How a motion is played on another skeleton. */
typedef struct sinew_retarget_options {
  size_t struct_size;
  const char* name; /* of the clip; NULL: that of the motion */
  const char* map; /* JSON: {"of the motion": "of the rig", "another": ["two", "joints"], "a third":
                      null}; NULL: by names and parts of the body */
  double frames_per_second; /* 0: the motion's own */
  double tolerance;         /* degrees, within which keys are left out that others imply; 0: 0.1 */
  int all_keys;             /* not 0: none are left out */
  int in_place;             /* not 0: the hips rise and sink, but do not travel */
  int has_rest_time; /* not 0: at rest_time, in seconds, the recorded body stands as at rest */
  double rest_time;
} sinew_retarget_options;

/* Plays a clip of another rig (of a .bvh, see sinew_rig_read_memory()) on this one, and adds it as
 * a clip, or replaces the one of its name. `report`, if not NULL, gets JSON: "mapped", which joint
 * moves which; "unmapped_source" and "unmapped_target"; "map", to be edited and passed in;
 * "frames", "keys", "scale". SINEW_ERROR_INPUT if no joint of the motion is the rig's hips. Changes
 * the rig. Threads: any. */
SINEW_API sinew_status sinew_rig_retarget(sinew_rig* rig, const sinew_rig* source, size_t clip,
                                          const sinew_retarget_options* options,
                                          sinew_buffer** report);

/* Removes a clip; those after it move up. Changes the rig. Threads: any. */
SINEW_API sinew_status sinew_rig_remove_clip(sinew_rig* rig, size_t clip);

/* ---- Weights ---- */

/* How weights are computed. An option that the chosen methods do not have is an error. */
typedef struct sinew_weights_options {
  size_t struct_size;
  const char* method;         /* a weight method; NULL: keep the rig's, "bbw" if it has none */
  const char* endpoints;      /* an endpoint method; NULL: "bbw"; "none": none */
  const char* endpoints_from; /* bbw, idw: "bones" (the default) or "joints" */
  size_t influences;          /* at most so many bones per vertex; 0: any number */
  size_t lattice_nodes;       /* bbw: about how many nodes fill a surface; 0: 12000 */
  int voxels;                 /* voxel: cells along the longest side; 0: 96 */
  double power;               /* voxel, shepard, idw: the power of the distance; 0: 8, 4, 4 */
  int joints;                 /* shepard: how many joints move a vertex; 0: 4 */
  double heat;                /* heat: how much heat bones give off; 0: 1 */
} sinew_weights_options;

/* How many methods for bone weights there are. Threads: any. */
SINEW_API sinew_status sinew_weight_method_count(size_t* count);

/* Its name: "bbw", "heat", "voxel", "shepard", "idw", "rigid". Valid for ever. Threads: any. */
SINEW_API sinew_status sinew_weight_method_name(size_t index, const char** name);

/* How many methods for endpoint weights there are. Threads: any. */
SINEW_API sinew_status sinew_endpoint_method_count(size_t* count);

/* The name of one: "bbw", "heat", "idw", "projection". Valid for ever. Threads: any. */
SINEW_API sinew_status sinew_endpoint_method_name(size_t index, const char** name);

/* Computes bone weights and endpoint weights, and replaces those of the rig. `report`, if not NULL,
 * gets JSON that says how good they are; "poor" in it is true where a vertex is not covered, a
 * solver has not converged, a bone cannot stretch, or a part has nothing to take weights from.
 * Changes the rig, at the end; SINEW_ERROR_USAGE if another thread has changed it meanwhile.
 * Threads: any. */
SINEW_API sinew_status sinew_rig_compute_weights(sinew_rig* rig,
                                                 const sinew_weights_options* options,
                                                 sinew_progress progress, void* user,
                                                 sinew_buffer** report);

/* How good the rig's weights are, as JSON. Threads: any. */
SINEW_API sinew_status sinew_rig_weight_report(const sinew_rig* rig, sinew_buffer** report);

/* ---- Editing ---- */

/* How many kinds of steps there are. Threads: any. */
SINEW_API sinew_status sinew_edit_step_count(size_t* count);

/* The name of a kind of step, what its argument is called ("" if it takes none), and a line about
 * it; any may be NULL. Valid for ever. Threads: any. */
SINEW_API sinew_status sinew_edit_step_info(size_t index, const char** name, const char** argument,
                                            const char** help);

/* Edits a rig by a list of steps, in order, as sinew edit does: [{"smooth": 3, "where":
 * "forearm.L"}, {"prune": 4}]. The first member of a step is its name and argument, others say
 * more; null where there is no argument. Where the argument is a file, what is in the file may
 * stand in its place, and nothing is read: for a .json the object itself, as in {"paint":
 * {"format": "sinew-strokes", ...}}; for a .dmat its rows, as in {"blend-share": [0, 0.5, ...]} or
 * {"joint-weights": [[0, 1], ...]}; for another rig its handle as a number, as in {"transfer":
 * {"rig": 4128}}, which is (uintptr_t)other. Messages name places within it: "/0/paint/strokes/1".
 * `report`, if not NULL, gets JSON that says what each changed. Changes the rig, at the end.
 * Threads: any. */
SINEW_API sinew_status sinew_rig_edit(sinew_rig* rig, const char* steps, sinew_progress progress,
                                      void* user, sinew_buffer** report);

/* ---- Painting ---- */

/* What holds for all strokes of a painter. */
typedef struct sinew_painter_options {
  size_t struct_size;
  const char* locks;       /* bones that keep their weights: names or numbers, with commas */
  double mirror_point[3];  /* of the plane that strokes are mirrored in */
  double mirror_normal[3]; /* 0, 0, 0: 1, 0, 0 */
} sinew_painter_options;

/* What a stroke does, and how far it reaches. */
typedef struct sinew_brush {
  size_t struct_size;
  const char* target; /* "bone-weights" (NULL), "endpoints", "twist-endpoints" */
  const char* mode;   /* "add" (NULL), "subtract", "replace", "smooth", "sharpen" */
  const char* bone; /* a joint's name or a bone's number; NULL: to smooth or sharpen all weights */
  const char* falloff; /* "smooth" (NULL), "linear", "constant" */
  double radius;       /* along the surface, in the mesh's units; above 0 */
  double strength;     /* how much a dab does at its centre, up to 1; 0: 0.5 */
  double value;        /* what "replace" goes to, from 0 to 1 */
  int mirror;          /* not 0: also on the other side of the plane, with the bone there */
} sinew_brush;

/* Prepares a rig for painting: takes time in proportion to the mesh, as no dab does. The painter
 * has the weights of the rig as it was then; the rig does not change before
 * sinew_painter_apply(). The rig must have bones and weights, and endpoint weights of the kind that
 * is painted. Threads: any. */
SINEW_API sinew_status sinew_painter_create(const sinew_rig* rig,
                                            const sinew_painter_options* options,
                                            sinew_painter** painter);

/* Where a ray first meets the mesh at bind time or, if `direction` is NULL, the point of it nearest
 * to `origin`: a triangle and three numbers with the sum 1. `triangle` is -1 where the ray meets
 * nothing, which is no error; `barycentric` may be NULL. Threads: one at a time. */
SINEW_API sinew_status sinew_painter_pick(sinew_painter* painter, const double origin[3],
                                          const double direction[3], int* triangle,
                                          double barycentric[3]);

/* Begins a stroke, which is the unit of undo, and ends the one before. Changes the painter.
 * Threads: one at a time. */
SINEW_API sinew_status sinew_painter_begin(sinew_painter* painter, const sinew_brush* brush);

/* Paints around a point of a triangle, within a stroke. `changed`, if not NULL, gets how many
 * vertices changed. Takes time in proportion to the vertices within the radius. Changes the
 * painter. Threads: one at a time. */
SINEW_API sinew_status sinew_painter_dab(sinew_painter* painter, size_t triangle,
                                         const double barycentric[3], size_t* changed);

/* Ends the stroke; without one, does nothing. Changes the painter. Threads: one at a time. */
SINEW_API sinew_status sinew_painter_end(sinew_painter* painter);

/* Takes the last stroke back; `undone`, if not NULL, gets 0 if there is none, which is no error.
 * The last 256 strokes are kept. Ends the stroke. Changes the painter. Threads: one at a time. */
SINEW_API sinew_status sinew_painter_undo(sinew_painter* painter, int* undone);

/* Paints what was undone last; `redone` as above. Changes the painter. Threads: one at a time. */
SINEW_API sinew_status sinew_painter_redo(sinew_painter* painter, int* redone);

/* Rows of weights: those of vertices[i] are offsets[i] to offsets[i + 1] - 1. */
typedef struct sinew_painted_rows {
  size_t struct_size;
  sinew_array vertices; /* 1 uint32, ascending */
  sinew_array offsets;  /* these five as SINEW_WEIGHT_OFFSETS to SINEW_TWIST_ENDPOINTS have them */
  sinew_array bones;
  sinew_array weights;
  sinew_array endpoints;       /* all 0 if the rig has none */
  sinew_array twist_endpoints; /* all 0 if the rig has none */
} sinew_painted_rows;

/* The rows that the last dab, undo or redo changed, as they are now; all 0 if it changed none. Set
 * struct_size before. Valid until the painter is freed, or asked for its rows again. Threads: one
 * at a time. */
SINEW_API sinew_status sinew_painter_changed(sinew_painter* painter, sinew_painted_rows* rows);

/* All strokes that were not undone, as the JSON of files of strokes. {"paint": ...} of
 * sinew_rig_edit() paints them on the rig again, with the same bits, if the locks are the same
 * ({"lock": ...}). Threads: one at a time. */
SINEW_API sinew_status sinew_painter_strokes(sinew_painter* painter, sinew_buffer** json);

/* Puts the painted weights into a rig with as many vertices and bones: the one that the painter was
 * made for, or a copy. Vertices that were not painted keep what they have. The painter goes on from
 * where it is. Changes the rig. Threads: any; the painter one at a time. */
SINEW_API sinew_status sinew_painter_apply(sinew_painter* painter, sinew_rig* rig);

/* Frees a painter; NULL is fine. Threads: any. */
SINEW_API sinew_status sinew_painter_free(sinew_painter* painter);

/* ---- Poses ---- */

/* How bones follow joints. */
typedef struct sinew_pose_options {
  size_t struct_size;
  int squash;      /* not 0: stretched bones get thinner and keep their volume */
  int same_intent; /* not 0: methods whose bones do not twist or stretch are given as much as they
                      can express */
  int follow;      /* not 0: twists go on from the last pose set by joints, through full turns */
} sinew_pose_options;

/* The rest pose of a rig, to be changed. Threads: any. */
SINEW_API sinew_status sinew_pose_create(const sinew_rig* rig, const sinew_pose_options* options,
                                         sinew_pose** pose);

/* Back to rest. Changes the pose. Threads: one at a time. */
SINEW_API sinew_status sinew_pose_rest(sinew_pose* pose);

/* A clip at a time, in seconds; before its start and after its end it stands still. Any time costs
 * the same. Changes the pose. Threads: one at a time. */
SINEW_API sinew_status sinew_pose_play(sinew_pose* pose, size_t clip, double time);

/* Sets the transforms of all joints against their parents: 10 components each. Changes the pose.
 * Threads: one at a time. */
SINEW_API sinew_status sinew_pose_set_joints(sinew_pose* pose, const sinew_array* transforms);

/* Sets the transform of one joint. Changes the pose. Threads: one at a time. */
SINEW_API sinew_status sinew_pose_set_joint(sinew_pose* pose, size_t joint,
                                            const double transform[10]);

/* Sets the weights of all blend shapes, of any sign and size. Changes the pose. Threads: one at a
 * time. */
SINEW_API sinew_status sinew_pose_set_shapes(sinew_pose* pose, const sinew_array* weights);

/* Sets all controls. Changes the pose. Threads: one at a time. */
SINEW_API sinew_status sinew_pose_set_controls(sinew_pose* pose, const sinew_array* values);

/* Sets the pose from JSON, as in pose files: by bones or by joints. Changes the pose. Threads: one
 * at a time. */
SINEW_API sinew_status sinew_pose_set_json(sinew_pose* pose, const char* json);

/* The pose as JSON by joints, which sinew_pose_set_json() takes back; not after one by bones.
 * Threads: one at a time. */
SINEW_API sinew_status sinew_pose_write_json(sinew_pose* pose, sinew_buffer** json);

/* The arrays of a pose. Behind each: components, type. */
typedef enum sinew_pose_field {
  SINEW_POSE_JOINTS = 0,         /* 10 float64, per joint, against its parent */
  SINEW_POSE_SHAPES = 1,         /* 1 float64, per shape */
  SINEW_POSE_CONTROLS = 2,       /* 1 float64, per control */
  SINEW_POSE_JOINT_FRAMES = 3,   /* 12 float64, per joint, from its frame to world space */
  SINEW_POSE_BONE_HEADS = 4,     /* 3 float64, per bone, world space */
  SINEW_POSE_BONE_TAILS = 5,     /* 3 float64 */
  SINEW_POSE_BONE_ROTATIONS = 6, /* 4 float64, from bind */
  SINEW_POSE_BONE_TWISTS = 7,    /* 2 float64, radians at head and tail */
  SINEW_POSE_BONE_FRAMES = 8,    /* 12 float64, from mesh space at bind to world space */
  SINEW_POSE_BONE_BULGES = 9,    /* 1 float64, the drive of the bone's muscle; 0 without one */
  SINEW_POSE_FIELD_FORCE_INT = 0x7fffffff
} sinew_pose_field;

/* An array of a pose, as it lies in memory. After a pose by bones, joints are as they were before
 * it. Valid until the pose is changed or freed. Threads: one at a time. */
SINEW_API sinew_status sinew_pose_get(sinew_pose* pose, sinew_pose_field field, sinew_array* array);

/* Frees a pose; NULL is fine. Threads: any. */
SINEW_API sinew_status sinew_pose_free(sinew_pose* pose);

/* ---- Inverse kinematics ---- */

/* What happens to the lengths of the bones above a handle. */
typedef enum sinew_ik_lengths {
  SINEW_LENGTHS_KEPT = 0,         /* they never change */
  SINEW_LENGTHS_BEYOND_REACH = 1, /* bones get longer where the goal is out of reach */
  SINEW_LENGTHS_FREE = 2          /* the joint is dragged; the bones next to it turn and stretch */
} sinew_ik_lengths;

/* What the children of a joint that is dragged do. */
typedef enum sinew_ik_children {
  SINEW_CHILDREN_AUTOMATIC = 0, /* stay if there is one, follow if there are several */
  SINEW_CHILDREN_FOLLOW = 1,
  SINEW_CHILDREN_STAY = 2
} sinew_ik_children;

/* A joint that can be given a goal. */
typedef struct sinew_ik_handle {
  size_t struct_size;
  int32_t joint;
  int32_t root; /* the first joint above it that turns; -1: two bones lie between, as in an arm */
  uint32_t lengths;  /* a sinew_ik_lengths */
  uint32_t children; /* a sinew_ik_children */
} sinew_ik_handle;

/* How a joint's rotation is limited, relative to rest. */
typedef enum sinew_ik_limit_kind {
  SINEW_LIMIT_CONE =
      0, /* at most max[0] away from the axis, twisted by min[1] to max[1] about it */
  SINEW_LIMIT_HINGE = 1, /* min[0] to max[0] about the axis only */
  SINEW_LIMIT_AXES = 2   /* each component of the rotation vector from min to max */
} sinew_ik_limit_kind;

/* A limit of a joint, in radians. */
typedef struct sinew_ik_limit {
  size_t struct_size;
  int32_t joint;
  uint32_t kind;  /* a sinew_ik_limit_kind */
  double axis[3]; /* a unit vector in the joint's frame; not for AXES */
  double min[3], max[3];
} sinew_ik_limit;

/* What holds for all handles. */
typedef struct sinew_ik_options {
  size_t struct_size;
  const sinew_ik_limit* limits; /* at most one per joint; in place of those that the rig keeps */
  size_t limit_count;
  double softness; /* the part of a chain's length before full extension in which it slows down */
  int without_rig_limits; /* not 0: joints that have no limit above have none, even if the rig keeps
                             one */
} sinew_ik_options;

/* Where a handle should be, in world space. */
typedef struct sinew_ik_goal {
  size_t struct_size;
  int has_position; /* 0: where the pose has it, a pin */
  int has_rotation; /* 0: it turns with its parent */
  int has_pole;     /* 0: the chain bends as in the pose */
  double position[3];
  double rotation[4]; /* of the joint's frame: a quaternion */
  double pole[3];     /* the chain bends towards this point */
  double release;     /* from 0: counts fully, to 1: as if there were no handle */
} sinew_ik_goal;

/* Prepares the skeleton of a rig for handles. Threads: any. */
SINEW_API sinew_status sinew_ik_create(const sinew_rig* rig, const sinew_ik_handle* handles,
                                       size_t handle_count, const sinew_ik_options* options,
                                       sinew_ik** ik);

/* Changes a pose so that the handles are at their goals, one goal per handle. `distances`, if not
 * NULL, gets as many numbers: how far each joint is from its goal. Changes the pose. Threads: one
 * at a time. */
SINEW_API sinew_status sinew_ik_solve(sinew_ik* ik, sinew_pose* pose, const sinew_ik_goal* goals,
                                      size_t goal_count, double* distances);

/* Frees a solver; NULL is fine. Threads: any. */
SINEW_API sinew_status sinew_ik_free(sinew_ik* ik);

/* ---- Deforming ---- */

/* A method, and what it needs and can do. */
typedef struct sinew_method_info {
  size_t struct_size;
  const char* name;
  const char* summary; /* one line */
  int reads_endpoints; /* not 0: reads endpoint weights */
  int twists;          /* not 0: bones twist along their length */
  int scales;          /* not 0: a bone that changes length scales all of its skin along its axis */
  size_t setting_count;
} sinew_method_info;

/* How many methods there are. Threads: any. */
SINEW_API sinew_status sinew_method_count(size_t* count);

/* One of the methods. Set struct_size before. Its strings are valid for ever. Threads: any. */
SINEW_API sinew_status sinew_method_get(size_t index, sinew_method_info* info);

/* A setting of a method and a line about it; either may be NULL. Valid for ever. Threads: any. */
SINEW_API sinew_status sinew_method_setting(size_t index, size_t setting, const char** name,
                                            const char** help);

/* A value for a setting of a method, as text; several of one name for settings that take a list. */
typedef struct sinew_setting {
  const char* name;
  const char* value;
} sinew_setting;

/* How a rig is deformed. */
typedef struct sinew_deformer_options {
  size_t struct_size;
  const char* method;            /* NULL: "stbs-dqs"; "stbs-mixed" if the rig has blend shares */
  const sinew_setting* settings; /* of the method; what is missing has the default for this rig */
  size_t setting_count;
  int rough_normals; /* not 0: binding and normals take less time, and normals deviate where weights
                        change */
  int reference;     /* not 0: in double precision, slowly */
} sinew_deformer_options;

/* Binds a rig to a method. Takes as long as some frames. The rig must have bones and weights.
 * Threads: any. */
SINEW_API sinew_status sinew_deformer_create(const sinew_rig* rig,
                                             const sinew_deformer_options* options,
                                             sinew_deformer** deformer);

/* Another deformer that shares what was computed, for another character or thread. Threads: any. */
SINEW_API sinew_status sinew_deformer_copy(const sinew_deformer* deformer, sinew_deformer** copy);

/* Where results go. The floats of vertex v begin v * stride bytes after the pointer; bytes in
 * between are not touched. NULL: not wanted. */
typedef struct sinew_output {
  size_t struct_size;
  size_t vertex_count;    /* that there is room for: that of the rig */
  float* positions;       /* 3 floats each, world space */
  size_t position_stride; /* bytes; 0: tightly packed */
  float* normals;         /* 3 floats each, unit length */
  size_t normal_stride;
  float* tangents; /* 4 floats each, the last is the handedness; only if the rig has tangents */
  size_t tangent_stride;
} sinew_output;

/* Deforms the rig in a pose into your buffers. Nothing is allocated, except for some methods when
 * shapes change, and with `reference`. The pose must be of the same rig, or one with the same bones
 * and shapes. Threads: one at a time. */
SINEW_API sinew_status sinew_deformer_deform(sinew_deformer* deformer, sinew_pose* pose,
                                             const sinew_output* output);

/* Frees a deformer; NULL is fine. Threads: any. */
SINEW_API sinew_status sinew_deformer_free(sinew_deformer* deformer);

/* ---- Deforming on a GPU ---- */

/* What a GPU is given of a rig. */
typedef struct sinew_gpu_skin_options {
  size_t struct_size;
  int gradients; /* not 0: also what normals need that are those of the deformed surface */
} sinew_gpu_skin_options;

/* The arrays of a rig for shaders, see docs/gpu.md; computed once. The rig must have bones and
 * weights. Threads: any. */
SINEW_API sinew_status sinew_gpu_skin_create(const sinew_rig* rig,
                                             const sinew_gpu_skin_options* options,
                                             sinew_gpu_skin** skin);

/* The arrays of a rig for shaders, all of float32. Those with 4 components that are not per vertex
 * are textures: 4096 texels wide, or one row of fewer. */
typedef enum sinew_gpu_field {
  SINEW_GPU_POSITIONS = 0,  /* 3, per vertex */
  SINEW_GPU_NORMALS = 1,    /* 3, per vertex; those of the triangles if the rig has none */
  SINEW_GPU_TANGENTS = 2,   /* 4, per vertex; or none */
  SINEW_GPU_VERTICES = 3,   /* 4, per vertex: first influence, how many it has, how many with those
                               of neighbours, share of dual quaternions */
  SINEW_GPU_INFLUENCES = 4, /* 4: bone, weight, endpoint weights of stretch and twist */
  SINEW_GPU_GRADIENTS = 5,  /* 4, three for each influence; or none */
  SINEW_GPU_DELTA_RANGES = 6, /* 2, per vertex: first delta, how many it has; or none */
  SINEW_GPU_DELTAS = 7,       /* 4, three for each delta of a shape at a vertex; or none */
  SINEW_GPU_FIELD_FORCE_INT = 0x7fffffff
} sinew_gpu_field;

/* An array for a GPU; all 0 if there is none. Valid until the skin is freed: it never changes.
 * Threads: any. */
SINEW_API sinew_status sinew_gpu_skin_get(const sinew_gpu_skin* skin, sinew_gpu_field field,
                                          sinew_array* array);

/* Frees a rig for shaders; NULL is fine. Threads: any. */
SINEW_API sinew_status sinew_gpu_skin_free(sinew_gpu_skin* skin);

/* How many texels, of four floats each, a pose has for a GPU. Threads: one at a time. */
SINEW_API sinew_status sinew_gpu_pose_size(sinew_pose* pose, size_t* texels);

/* A pose for a GPU, into your floats: four for each of sinew_gpu_pose_size() texels. `method` is
 * one of "lbs", "dqs", "mixed", "stbs-lbs", "stbs-dqs" (NULL) and "stbs-mixed". Nothing is
 * allocated. Threads: one at a time. */
SINEW_API sinew_status sinew_gpu_pose(sinew_pose* pose, const char* method, float* floats,
                                      size_t float_count);

/* How the shaders blend bones by one of these methods: 0 linearly, 1 by dual quaternions, -1 by the
 * share of each vertex. Threads: any. */
SINEW_API sinew_status sinew_gpu_blend(const char* method, float* blend);

/* ---- Measuring ---- */

/* What methods do to a pose, as JSON: volume, edges, strain, cross-sections, twist, parts that
 * should be rigid, self-intersections. `methods` has names with commas; NULL: all. Threads: any;
 * the pose one at a time. */
SINEW_API sinew_status sinew_measure(const sinew_rig* rig, sinew_pose* pose, const char* methods,
                                     sinew_buffer** report);

/* What is wrong with a triangle at a vertex: bits of sinew_vertex_measures.faults. */
typedef enum sinew_fault {
  SINEW_FAULT_CROSSING = 1, /* it goes through another that it does not meet at rest */
  SINEW_FAULT_DISTORTED =
      2 /* it is torn, crushed or, in hands, feet and heads, bent out of shape */
} sinew_fault;

/* Where measures of vertices go, tightly packed; NULL: not wanted. Copies of a vertex along seams
 * have the values of their own triangles. */
typedef struct sinew_vertex_measures {
  size_t struct_size;
  size_t vertex_count;   /* that there is room for: that of the rig */
  float* longest_edges;  /* the largest deformed length of an edge there against that at rest; 1
                            without edges */
  float* shortest_edges; /* the smallest */
  float* shears;         /* the largest change of a right angle there, in radians */
  uint8_t* faults;       /* bits of sinew_fault; takes longer than the others together */
} sinew_vertex_measures;

/* What a method does to a pose at each vertex, into your buffers, to mark the worst places:
 * `faults` are what comparison sheets have in red. `method`: NULL: "stbs-dqs". Threads: any; the
 * pose one at a time. */
SINEW_API sinew_status sinew_measure_vertices(const sinew_rig* rig, sinew_pose* pose,
                                              const char* method,
                                              const sinew_vertex_measures* measures);

/* ---- Baking ---- */

/* How stretch and twist become helper joints. */
typedef struct sinew_bake_options {
  size_t struct_size;
  int segments;              /* per bone; 0: as many as the bound requires */
  double max_error_percent;  /* of a limb's radius; 0: 2, or no bound if segments are given */
  size_t influences;         /* at most per vertex; 0: 4 */
  const char* const* joints; /* whose bones are split; NULL: those that twist or stretch */
  size_t joint_count;
  int all_bones;         /* not 0: every bone is split */
  const char* endpoints; /* compute endpoint weights by it; NULL: by "bbw" if there are none */
  const char* live;      /* what moves helpers outside the clips: "none" (NULL), "table" or "vrm" */
  int squash;            /* not 0: bones that get longer get thinner; not with live helpers */
} sinew_bake_options;

/* A rig whose stretch and twist are carried by ordinary joints, which any engine plays by linear
 * blending. `report`, if not NULL, gets JSON that says how far it is from the true result; `table`,
 * if not NULL, JSON from which a script moves the helpers. Threads: any. */
SINEW_API sinew_status sinew_bake(const sinew_rig* rig, const sinew_bake_options* options,
                                  sinew_progress progress, void* user, sinew_rig** baked,
                                  sinew_buffer** report, sinew_buffer** table);

/* How a clip becomes blend shapes or a point cache. */
typedef struct sinew_bake_clip_options {
  size_t struct_size;
  const char* method;       /* NULL: as for a deformer */
  double max_error_percent; /* shapes: of the bounding box; 0: 0.1 */
  double frames_per_second; /* shapes: where keys may be; 0: anywhere. Cache: 0: 30 */
  const char* format;       /* cache: "pc2" (NULL) or "mdd" */
  int squash;               /* not 0: bones that get longer get thinner */
} sinew_bake_clip_options;

/* A mesh with blend shapes and a clip that fades between them, without a skeleton. `report` may be
 * NULL. Threads: any. */
SINEW_API sinew_status sinew_bake_shapes(const sinew_rig* rig, size_t clip,
                                         const sinew_bake_clip_options* options,
                                         sinew_progress progress, void* user, sinew_rig** baked,
                                         sinew_buffer** report);

/* A point cache: every vertex in every frame. Threads: any. */
SINEW_API sinew_status sinew_bake_cache(const sinew_rig* rig, size_t clip,
                                        const sinew_bake_clip_options* options,
                                        sinew_progress progress, void* user, sinew_buffer** file);

/* ---- Correctives ---- */

/* How sculpted poses become blend shapes that the pose turns on. */
typedef struct sinew_correct_options {
  size_t struct_size;
  const char* method;        /* that shows the examples; NULL: as for a deformer */
  const char* const* names;  /* of the blend shapes, one for each example; NULL: "corrective" */
  const char* const* joints; /* whose turns count; NULL: those that a pose turns from rest */
  size_t joint_count;
  double radius;    /* in degrees: how far from its pose an example matters; 0: everywhere */
  double tolerance; /* a share of the mesh's size: further from its example a vertex is off; 0: 1e-4
                     */
  int squash;       /* not 0: bones that get longer get thinner */
} sinew_correct_options;

/* The rig with a blend shape for each example, which the pose drives: off at rest, on in the
 * example's pose, where the method then shows the example. `poses` are JSON as in pose files, by
 * joints or targets; `positions` has 3 components, in world space, the vertices of one example
 * after those of the other. The weights are those of a pose like all others (SINEW_POSE_SHAPES).
 * `report`, if not NULL, gets JSON that lists the vertices the method cannot get there. Threads:
 * any. */
SINEW_API sinew_status sinew_correct(const sinew_rig* rig, const char* const* poses,
                                     size_t example_count, const sinew_array* positions,
                                     const sinew_correct_options* options, sinew_progress progress,
                                     void* user, sinew_rig** corrected, sinew_buffer** report);

/* What computes joints and blend shapes, as JSON: {"controls": [...], "drivers": [...],
 * "poseSpaces": [...]}, as the file that the step "drivers" of sinew_rig_edit() reads. Threads:
 * any. */
SINEW_API sinew_status sinew_rig_drivers(const sinew_rig* rig, sinew_buffer** drivers);

/* ---- Images ---- */

/* A picture from pixels: red, green, blue, alpha, a byte each, sRGB with straight alpha, rows from
 * the top down. `stride`: bytes from row to row; 0: tightly packed. Threads: any. */
SINEW_API sinew_status sinew_image_create(int width, int height, const uint8_t* pixels,
                                          size_t stride, sinew_image** image);

/* Reads a .png, .jpg or .webp. Threads: any. */
SINEW_API sinew_status sinew_image_read(const char* path, sinew_image** image);

/* The same from memory; the bytes say which. Threads: any. */
SINEW_API sinew_status sinew_image_read_memory(const void* data, size_t size, sinew_image** image);

/* The pixels of a picture, as sinew_image_create() takes them, tightly packed. Any result may be
 * NULL. Valid until the image is freed: it never changes. Threads: any. */
SINEW_API sinew_status sinew_image_data(const sinew_image* image, int* width, int* height,
                                        const uint8_t** pixels);

/* Writes a .png, completely or not at all. Threads: any. */
SINEW_API sinew_status sinew_image_write(const sinew_image* image, const char* path);

/* The bytes of a .png. Threads: any. */
SINEW_API sinew_status sinew_image_write_memory(const sinew_image* image, sinew_buffer** file);

/* The bytes of an animation that repeats for ever: of a .gif ("gif"), or of an animated .png
 * ("apng"). All pictures must have the same size. A .gif has at most 255 colours per picture, and
 * hundredths of a second, at least two. Threads: any. */
SINEW_API sinew_status sinew_image_write_animation(const sinew_image* const* images, size_t count,
                                                   double seconds_per_frame, const char* format,
                                                   sinew_buffer** file);

/* Frees a picture; NULL is fine. Threads: any. */
SINEW_API sinew_status sinew_image_free(sinew_image* image);

/* ---- Drawing ---- */

/* How a rig is drawn. */
typedef struct sinew_draw_options {
  size_t struct_size;
  int width, height;  /* pixels; 0: 1024, or the other side */
  const char* method; /* NULL: as for a deformer */
  const char* view; /* "front", "back", "left", "right", "top", "bottom", "three-quarter" (NULL), or
                       "azimuth,elevation" in degrees */
  const char* colors; /* what colours show: "weights" (of `bone`), "endpoints", "bones"; NULL: the
                         rig's own */
  const char* bone;   /* a joint's name or a bone's number */
  int wire;           /* not 0: with edges */
  int skeleton;       /* not 0: with bones */
  const char* color;  /* one colour for all, as in "#c8b090" */
  const char* background; /* a colour, or "transparent"; NULL: light grey */
  const char* focus;      /* fill the picture with what moves with this joint and those below it */
  double field_of_view;   /* degrees; 0: 25 */
  int orthographic;       /* not 0: without perspective */
  int no_ground;          /* not 0: without a shadow on the ground */
} sinew_draw_options;

/* A picture of a rig in a pose; `pose` may be NULL: the mesh as it is at bind time. Threads: any;
 * the pose one at a time. */
SINEW_API sinew_status sinew_draw(const sinew_rig* rig, sinew_pose* pose,
                                  const sinew_draw_options* options, sinew_image** image);

/* How methods are compared. */
typedef struct sinew_comparison_options {
  size_t struct_size;
  const char* methods; /* names with commas; NULL: "lbs,dqs,stbs-lbs,stbs-dqs" */
  const char* title;   /* NULL: the rig's name */
  const char* view;    /* as sinew_draw_options has it; NULL: the front of flat shapes */
  const char* focus;   /* fill the pictures with what moves with this joint and those below it */
  int size;            /* about the side of each picture, in pixels, 100 to 2000; 0: 400 */
  int stripes;         /* not 0: stripes along the bones, which show the twist */
} sinew_comparison_options;

/* A sheet with a picture for each method and its numbers below, as `sinew compare` draws it; faults
 * are red. Give the pose `same_intent` to be fair to methods without twist or stretch. Threads:
 * any; the pose one at a time. */
SINEW_API sinew_status sinew_draw_comparison(const sinew_rig* rig, sinew_pose* pose,
                                             const sinew_comparison_options* options,
                                             sinew_image** image);

/* ---- Pictures to puppets ---- */

/* How a figure is found in a picture, meshed and skinned. */
typedef struct sinew_puppet_options {
  size_t struct_size;
  const char* bones; /* JSON in pixels, as sinew_puppet_bones() gives it; NULL: placed along the
                        figure's middle */
  int auto_bones;    /* how many are placed; 0: 12 */
  const sinew_image* mask; /* bright where the figure is, of the same size; NULL: found by `cut` */
  const char* cut;         /* "alpha" or "background"; NULL: by alpha if there is any */
  double alpha;            /* the least that counts as figure; 0: 1/16 */
  const char* background;  /* its colour; NULL: that of most of the border */
  double tolerance;        /* how much the background may differ from it, 0 to 1; 0: 0.1 */
  const char* holes; /* the background's colour within the figure: "auto" (NULL), "cut", "keep" */
  double margin;     /* of the mesh around the figure, in pixels; 0: 2.5 */
  double outline_tolerance; /* in pixels; 0: 1 */
  double longest_edge;      /* of a triangle, in pixels; 0: a 30th of the figure */
  const char* weights;      /* NULL: "bbw" */
  const char* endpoints;    /* NULL: "bbw"; "none" */
  double pixels_per_unit;   /* of the rig; 0: 100 */
} sinew_puppet_options;

/* How many built-in drawings there are. Threads: any. */
SINEW_API sinew_status sinew_sample_picture_count(size_t* count);

/* The name of a built-in drawing and a line about it; either may be NULL. Valid for ever. Threads:
 * any. */
SINEW_API sinew_status sinew_sample_picture_info(size_t index, const char** name,
                                                 const char** description);

/* A built-in drawing by name, `size` pixels wide and high (0: 1024), bones on it and a motion of
 * them as JSON; these two may be NULL. Threads: any. */
SINEW_API sinew_status sinew_sample_picture(const char* name, int size, sinew_image** image,
                                            sinew_buffer** bones, sinew_buffer** motion);

/* Cuts a figure out of a picture, meshes it and ties it to bones. Threads: any. */
SINEW_API sinew_status sinew_puppet_create(const sinew_image* image,
                                           const sinew_puppet_options* options,
                                           sinew_progress progress, void* user,
                                           sinew_puppet** puppet);

/* The bones of a puppet as JSON, to be edited: {"joints": {"hip": [512, 600], ...}, "bones":
 * [{"from": "hip", "to": "knee"}, ...]}, in pixels from the upper left corner. Threads: any. */
SINEW_API sinew_status sinew_puppet_bones(const sinew_puppet* puppet, sinew_buffer** json);

/* How good its weights are, as JSON, as sinew_rig_compute_weights() has it. Threads: any. */
SINEW_API sinew_status sinew_puppet_report(const sinew_puppet* puppet, sinew_buffer** json);

/* How many ready-made motions there are. Threads: any. */
SINEW_API sinew_status sinew_puppet_loop_count(size_t* count);

/* The name of one: "wave", "bounce", "breathe", "sway", "stretch". Valid for ever. Threads: any. */
SINEW_API sinew_status sinew_puppet_loop_name(size_t index, const char** name);

/* Adds a ready-made motion at the end. `pins`: names of joints that stay where they are, with
 * commas, "feet" or "none"; NULL: what suits the motion. Changes the puppet. Threads: one at a
 * time. */
SINEW_API sinew_status sinew_puppet_add_loop(sinew_puppet* puppet, const char* name,
                                             const char* pins);

/* Adds a motion from JSON at the end: {"name": "wave", "duration": 2, "joints": {"hand": [{"time":
 * 0, "position": [40, 80]}, {"time": 1, "offset": [0, -60]}]}}. Changes the puppet. Threads: one at
 * a time. */
SINEW_API sinew_status sinew_puppet_add_motion(sinew_puppet* puppet, const char* json);

/* The puppet as a textured rig, with its motions as clips. Threads: any. */
SINEW_API sinew_status sinew_puppet_rig(const sinew_puppet* puppet, sinew_rig** rig);

/* How a puppet is drawn. */
typedef struct sinew_stage_options {
  size_t struct_size;
  const char* method;     /* NULL: as for a deformer */
  int size;               /* the longer side, in pixels; 0: as the picture */
  const char* background; /* a colour; NULL: transparent */
  int squash;             /* not 0: bones that get longer get thinner */
  int skeleton;           /* not 0: with bones */
} sinew_stage_options;

/* A picture of a puppet at a time of one of its motions, in seconds; `motion` counts from 0, -1: as
 * in its picture. All pictures of one motion show the same area, which holds all of it. Threads:
 * one at a time. */
SINEW_API sinew_status sinew_puppet_draw(sinew_puppet* puppet, int motion, double time,
                                         const sinew_stage_options* options, sinew_image** image);

/* Frees a puppet; NULL is fine. Threads: any. */
SINEW_API sinew_status sinew_puppet_free(sinew_puppet* puppet);

#ifdef __cplusplus
}
#endif

#endif
