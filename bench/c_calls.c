/* SPDX-License-Identifier: Apache-2.0
 * What calls of the C interface cost, and deforming through it: the least of many, as other
 * processes only ever add to it.
 *
 *   cc -O2 -std=c11 bench/c_calls.c $(pkg-config --cflags --libs sinew-c) && ./a.out
 *
 * python_calls.py and wasm_calls.mjs have the same rows. */
#define _POSIX_C_SOURCE 199309L
#include <sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static sinew_rig* rig;
static sinew_pose* pose;
static sinew_deformer* deformer;
static sinew_output output;

static void check(sinew_status status) {
  if (status == SINEW_OK) return;
  fprintf(stderr, "%s\n", sinew_last_error());
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds for one of `count` calls in a row, the least within half a second. */
static double least(void (*call)(void), int count) {
  const double end = now() + 0.5;
  double best = 1e9;
  do {
    const double begun = now();
    for (int i = 0; i < count; ++i) call();
    const double taken = (now() - begun) / count;
    if (taken < best) best = taken;
  } while (now() < end);
  return best;
}

static void count_vertices(void) {
  size_t count = 0;
  check(sinew_rig_count(rig, SINEW_VERTEX, &count));
}
static void get_positions(void) {
  sinew_array array;
  check(sinew_rig_get(rig, SINEW_POSITIONS, 0, &array));
}
static void play(void) { check(sinew_pose_play(pose, 0, 0.5)); }
static void get_joints(void) {
  sinew_array array;
  check(sinew_pose_get(pose, SINEW_POSE_JOINTS, &array));
}
static void deform(void) { check(sinew_deformer_deform(deformer, pose, &output)); }

static void make(const char* method) {
  sinew_deformer_options options = {.struct_size = sizeof options, .method = method};
  check(sinew_deformer_free(deformer));
  check(sinew_deformer_create(rig, &options, &deformer));
}

static void use_sample(const char* name, size_t vertices) {
  check(sinew_pose_free(pose));
  check(sinew_rig_free(rig));
  check(sinew_rig_sample(name, vertices, NULL, NULL, &rig));
  check(sinew_pose_create(rig, NULL, &pose));
  output.struct_size = sizeof output;
  check(sinew_rig_count(rig, SINEW_VERTEX, &output.vertex_count));
  free(output.positions);
  output.positions = malloc(3 * sizeof(float) * output.vertex_count);
  if (output.positions == NULL) exit(1);
}

int main(void) {
  check(sinew_set_thread_count(1));
  use_sample("cigar", 20);
  make("lbs");
  printf("call,rig.vertex_count,%.3f us\n", 1e6 * least(count_vertices, 1000));
  printf("call,rig.positions,%.3f us\n", 1e6 * least(get_positions, 1000));
  printf("call,pose.play,%.3f us\n", 1e6 * least(play, 1000));
  printf("call,pose.joints,%.3f us\n", 1e6 * least(get_joints, 1000));
  printf("call,\"deform (20 vertices)\",%.3f us\n", 1e6 * least(deform, 1000));
  /* As the others have it: four influences, in the middle of the first clip. */
  use_sample("mannequin", 100000);
  check(sinew_rig_edit(rig, "[{\"prune\": 4}]", NULL, NULL, NULL));
  double duration = 0;
  check(sinew_rig_clip(rig, 0, &duration, NULL));
  check(sinew_pose_free(pose));
  check(sinew_pose_create(rig, NULL, &pose));
  check(sinew_pose_play(pose, 0, duration / 2));
  static const char* const methods[] = {"lbs", "dqs", "stbs-lbs", "stbs-dqs"};
  for (int i = 0; i < 4; ++i) {
    make(methods[i]);
    printf("deform,%s,%.2f ns/vertex\n", methods[i],
           1e9 * least(deform, 1) / (double)output.vertex_count);
  }
  return 0;
}
