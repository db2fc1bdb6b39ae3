/* SPDX-License-Identifier: Apache-2.0 */
/* A box and two bones from arrays: weights, a pose, the posed vertices in an interleaved buffer. */
#include <sinew.h>
#include <stdio.h>
#include <stdlib.h>

#define RINGS 9

/* What a vertex buffer of an engine looks like. */
typedef struct vertex {
  float position[3];
  float normal[3];
} vertex;

static int tell(void* user, const char* stage, double fraction) {
  (void)user;
  fprintf(stderr, "%3.0f%% %s\n", 100 * fraction, stage);
  return 0; /* anything else cancels */
}

static void check(sinew_status status) {
  if (status == SINEW_OK) return;
  fprintf(stderr, "%s: %s\n", sinew_status_name(status), sinew_last_error());
  exit(1);
}

static sinew_rig* make_rig(void) {
  /* A square tube along y, 2 units long, open at both ends. */
  float positions[RINGS * 4][3];
  uint16_t triangles[(RINGS - 1) * 8][3];
  for (int r = 0; r < RINGS; ++r) {
    for (int k = 0; k < 4; ++k) {
      float* p = positions[4 * r + k];
      p[0] = k == 0 || k == 3 ? -0.2F : 0.2F;
      p[1] = 2.0F * (float)r / (RINGS - 1);
      p[2] = k < 2 ? 0.2F : -0.2F;
    }
  }
  for (int r = 0; r + 1 < RINGS; ++r) {
    for (int k = 0; k < 4; ++k) {
      const int a = 4 * r + k, b = 4 * r + (k + 1) % 4;
      uint16_t* t = triangles[8 * r + 2 * k];
      t[0] = (uint16_t)a, t[1] = (uint16_t)b, t[2] = (uint16_t)(b + 4);
      t[3] = (uint16_t)a, t[4] = (uint16_t)(b + 4), t[5] = (uint16_t)(a + 4);
    }
  }
  /* Two joints, each one unit above its parent; the second bone's tail is inferred. */
  const char* const names[] = {"shoulder", "elbow", "hand"};
  const int parents[] = {-1, 0, 1};
  const double rests[][3] = {{0, 0, 0}, {0, 1, 0}, {0, 1, 0}};

  sinew_mesh_data mesh = {.struct_size = sizeof mesh};
  mesh.positions = (sinew_array){positions, RINGS * 4, 0, 3, SINEW_FLOAT32};
  mesh.triangles = (sinew_array){triangles, (RINGS - 1) * 8, 0, 3, SINEW_UINT16};
  sinew_skeleton_data skeleton = {.struct_size = sizeof skeleton};
  skeleton.joint_names = names;
  skeleton.joint_parents = (sinew_array){parents, 3, 0, 1, SINEW_INT32};
  skeleton.joint_rests = (sinew_array){rests, 3, 0, 3, SINEW_FLOAT64};

  sinew_rig* rig = NULL;
  check(sinew_rig_create("tube", &rig));
  check(sinew_rig_set_mesh(rig, &mesh));
  check(sinew_rig_set_skeleton(rig, &skeleton));
  return rig;
}

int main(void) {
  printf("sinew %s\n", sinew_version());
  sinew_rig* rig = make_rig();

  sinew_weights_options weights = {.struct_size = sizeof weights};
  weights.method = "bbw";
  sinew_buffer* report = NULL;
  check(sinew_rig_compute_weights(rig, &weights, tell, NULL, &report));
  check(sinew_buffer_free(report));

  /* The elbow half a unit farther, and the hand turned by half a turn about the forearm. */
  sinew_pose* pose = NULL;
  check(sinew_pose_create(rig, NULL, &pose));
  check(sinew_pose_set_json(pose,
                            "{\"joints\": {\"shoulder\": {\"stretch\": 1.5},"
                            " \"hand\": {\"twist\": 180}}}"));

  size_t count = 0;
  check(sinew_rig_count(rig, SINEW_VERTEX, &count));
  vertex* vertices = calloc(count, sizeof *vertices);
  sinew_output output = {.struct_size = sizeof output};
  output.vertex_count = count;
  output.positions = vertices->position;
  output.normals = vertices->normal;
  output.position_stride = output.normal_stride = sizeof *vertices;
  sinew_deformer* deformer = NULL;
  check(sinew_deformer_create(rig, NULL, &deformer));
  check(sinew_deformer_deform(deformer, pose, &output));
  for (size_t v = 0; v < count; v += 4) {
    const float* p = vertices[v].position;
    printf("%6.3f %6.3f %6.3f\n", (double)p[0], (double)p[1], (double)p[2]);
  }
  check(sinew_rig_write(rig, "tube.glb"));

  free(vertices);
  check(sinew_deformer_free(deformer));
  check(sinew_pose_free(pose));
  check(sinew_rig_free(rig));
  size_t left = 0;
  check(sinew_handle_count(&left));
  printf("%d handles left\n", (int)left);
  return left == 0 ? 0 : 1;
}
