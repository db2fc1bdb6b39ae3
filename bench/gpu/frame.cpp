// SPDX-License-Identifier: Apache-2.0
// sinew_gpu_bench SHADER [VERTICES ...]: a frame on the GPU, by bindings/shaders/sinew.glsl
// (SHADER) in OpenGL ES 3.1 without a window, beside the same frame on the CPU. Prints CSV.
//
// pose_us: the texels of the pose are filled and uploaded.
//
// vertex_us: positions and normals are computed into a buffer by a vertex shader, many times
// without waiting.
//
// compute_us: the same by a compute shader.
//
// frame_us: the pose and the vertex shader, and waiting for them.
//
// cpu_us, cpu_threads_us: the same by the core on one and on all threads.
//
// error: the largest difference of the two positions, in sizes of the shape.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>
#include <fmt/format.h>

#include "bench/bench.h"
#include "bench/character.h"
#include "sinew/core/parallel.h"
#include "sinew/kernels/binding.h"
#include "sinew/kernels/gpu.h"

namespace sinew::bench {
namespace {

constexpr std::string_view vertex_shader_end = R"(
in vec3 position;
in vec3 normal;
in vec4 sinew_vertex;
out vec3 posed_position;
out vec3 posed_normal;
uniform float blend;
void main() {
  vec3 p = position, n = normal, t = vec3(0.0);
  sinew_deform(p, n, t, sinew_vertex, 0, blend);
  posed_position = p;
  posed_normal = n;
  gl_Position = vec4(p, 1.0);
}
)";

constexpr std::string_view compute_shader_end = R"(
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Positions { float positions[]; };
layout(std430, binding = 1) readonly buffer Normals { float normals[]; };
layout(std430, binding = 2) readonly buffer Vertices { vec4 vertices[]; };
layout(std430, binding = 3) writeonly buffer Posed { float posed[]; };
uniform int count;
uniform float blend;
void main() {
  int v = int(gl_GlobalInvocationID.x);
  if (v >= count) return;
  vec3 p = vec3(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
  vec3 n = vec3(normals[3 * v], normals[3 * v + 1], normals[3 * v + 2]);
  vec3 t = vec3(0.0);
  sinew_deform(p, n, t, vertices[v], 0, blend);
  for (int k = 0; k < 3; ++k) {
    posed[6 * v + k] = p[k];
    posed[6 * v + 3 + k] = n[k];
  }
}
)";

// A context without a window: of the first device that gives one, or of the default display.
void make_context() {
  std::vector<EGLDisplay> displays;
  const auto query_devices =
      reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  const auto get_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
      eglGetProcAddress("eglGetPlatformDisplayEXT"));
  if (query_devices && get_display) {
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    if (query_devices(16, devices, &count)) {
      for (EGLint d = 0; d < count; ++d) {
        displays.push_back(get_display(EGL_PLATFORM_DEVICE_EXT, devices[d], nullptr));
      }
    }
  }
  displays.push_back(eglGetDisplay(EGL_DEFAULT_DISPLAY));
  for (EGLDisplay display : displays) {
    if (!eglInitialize(display, nullptr, nullptr) || !eglBindAPI(EGL_OPENGL_ES_API)) continue;
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_ES3_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint found = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &found) || found == 0) continue;
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE};
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (context && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) return;
  }
  throw std::runtime_error("no OpenGL ES 3.1 context could be made");
}

// Something to draw to: without a window there is nothing, although nothing will be drawn.
void make_target() {
  GLuint framebuffer = 0, colours = 0;
  glGenFramebuffers(1, &framebuffer);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glGenRenderbuffers(1, &colours);
  glBindRenderbuffer(GL_RENDERBUFFER, colours);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1, 1);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colours);
  glEnable(GL_RASTERIZER_DISCARD);
}

GLuint compile(GLenum kind, const std::string& text) {
  const GLuint shader = glCreateShader(kind);
  const char* source = text.c_str();
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  GLint fine = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &fine);
  if (!fine) {
    char log[4096];
    glGetShaderInfoLog(shader, sizeof log, nullptr, log);
    throw std::runtime_error(fmt::format("the shader does not compile: {}", log));
  }
  return shader;
}

std::string shader_text(const std::string& library, bool gradients, std::string_view end) {
  return fmt::format("#version 310 es\nprecision highp float;\nprecision highp int;\n{}{}{}",
                     gradients ? "#define SINEW_GRADIENTS\n" : "", library, end);
}

void link(GLuint program) {
  glLinkProgram(program);
  GLint fine = 0;
  glGetProgramiv(program, GL_LINK_STATUS, &fine);
  if (!fine) throw std::runtime_error("the shader does not link");
  glUseProgram(program);
}

GLuint make_vertex_program(const std::string& library, bool gradients) {
  const GLuint program = glCreateProgram();
  glAttachShader(program,
                 compile(GL_VERTEX_SHADER, shader_text(library, gradients, vertex_shader_end)));
  glAttachShader(program, compile(GL_FRAGMENT_SHADER, "#version 310 es\nvoid main() {}\n"));
  const char* results[] = {"posed_position", "posed_normal"};
  glTransformFeedbackVaryings(program, 2, results, GL_SEPARATE_ATTRIBS);
  link(program);
  return program;
}

GLuint make_compute_program(const std::string& library, bool gradients) {
  const GLuint program = glCreateProgram();
  glAttachShader(program,
                 compile(GL_COMPUTE_SHADER, shader_text(library, gradients, compute_shader_end)));
  link(program);
  return program;
}

// Texels as a texture on a unit of its own.
void upload(GLint unit, std::span<const float> texels) {
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glBindTexture(GL_TEXTURE_2D, texture);
  const std::size_t count = texels.size() / 4;
  const std::size_t width = std::min(count, gpu_texture_width);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, static_cast<GLsizei>(width),
               static_cast<GLsizei>(count / width), 0, GL_RGBA, GL_FLOAT, texels.data());
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

void name_textures(GLuint program, float blend) {
  glUniform1i(glGetUniformLocation(program, "sinew_influences"), 0);
  glUniform1i(glGetUniformLocation(program, "sinew_gradients"), 1);
  glUniform1i(glGetUniformLocation(program, "sinew_pose"), 2);
  glUniform1f(glGetUniformLocation(program, "blend"), blend);
}

// An attribute of the vertex shader, which the compute shader has at `binding`.
void give(GLuint program, const char* attribute, GLint size, GLuint binding,
          std::span<const float> values) {
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(values.size_bytes()), values.data(),
               GL_STATIC_DRAW);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer);
  const GLint place = glGetAttribLocation(program, attribute);
  if (place < 0) throw std::runtime_error(fmt::format("the shader does not read {}", attribute));
  glEnableVertexAttribArray(static_cast<GLuint>(place));
  glVertexAttribPointer(static_cast<GLuint>(place), size, GL_FLOAT, GL_FALSE, 0, nullptr);
}

// Two buffers that the shader writes to; the first has the positions.
GLuint make_outputs(std::size_t vertices) {
  GLuint buffers[2];
  glGenBuffers(2, buffers);
  for (GLuint k = 0; k < 2; ++k) {
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, k, buffers[k]);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER,
                 static_cast<GLsizeiptr>(3 * vertices * sizeof(float)), nullptr, GL_DYNAMIC_COPY);
  }
  return buffers[0];
}

void draw(std::size_t vertices) {
  glBeginTransformFeedback(GL_POINTS);
  glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(vertices));
  glEndTransformFeedback();
}

double largest_difference(GLuint buffer, std::span<const float> expected) {
  glBindBuffer(GL_TRANSFORM_FEEDBACK_BUFFER, buffer);
  const auto* got = static_cast<const float*>(
      glMapBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0,
                       static_cast<GLsizeiptr>(expected.size_bytes()), GL_MAP_READ_BIT));
  if (!got) throw std::runtime_error("results cannot be read back");
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, static_cast<double>(std::abs(got[i] - expected[i])));
  }
  glUnmapBuffer(GL_TRANSFORM_FEEDBACK_BUFFER);
  return largest;
}

void measure(const std::string& shader, const Rig& rig, std::string_view method, bool gradients) {
  const std::vector<BoneState> bones = strained_pose(rig);
  const std::size_t vertices = rig.mesh.vertex_count();
  const GpuSkin skin = gpu_skin(rig, {.gradients = gradients});
  const GpuMethod gpu = gpu_method(method);
  std::vector<float> pose(4 * gpu_pose_texels(bones.size(), 0));
  const auto fill = [&] { fill_gpu_pose(gpu, bones, {}, 0, pose); };
  fill();

  upload(0, skin.influences);
  if (gradients) upload(1, skin.gradients);
  upload(2, pose);
  const GLuint program = make_vertex_program(shader, gradients);
  name_textures(program, gpu.blend);
  give(program, "position", 3, 0, skin.positions);
  give(program, "normal", 3, 1, skin.normals);
  give(program, "sinew_vertex", 4, 2, skin.vertices);
  const GLuint result = make_outputs(vertices);
  const auto send = [&] {
    fill();
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, static_cast<GLsizei>(pose.size() / 4), 1, GL_RGBA,
                    GL_FLOAT, pose.data());
  };

  const double pose_seconds = minimum_seconds(send, 0.2);
  glFinish();
  constexpr int many = 50;
  const auto time_many = [](const auto& body) {
    return minimum_seconds([&] {
             for (int i = 0; i < many; ++i) body();
             glFinish();
           }) /
           many;
  };
  const double vertex_seconds = time_many([&] { draw(vertices); });
  const double frame_seconds = minimum_seconds([&] {
    send();
    draw(vertices);
    glFinish();
  });

  const GLuint compute = make_compute_program(shader, gradients);
  name_textures(compute, gpu.blend);
  glUniform1i(glGetUniformLocation(compute, "count"), static_cast<GLint>(vertices));
  GLuint posed = 0;
  glGenBuffers(1, &posed);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, posed);
  glBufferData(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(6 * vertices * sizeof(float)),
               nullptr, GL_DYNAMIC_COPY);
  const double compute_seconds = time_many([&] {
    glDispatchCompute(static_cast<GLuint>((vertices + 63) / 64), 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  });

  const Binding binding(rig, {.slopes = gradients});
  const Plan plan(binding, method_from_name(method, rig));
  Palette palette(plan);
  std::vector<float> positions(3 * vertices), normals(3 * vertices);
  const auto on_cpu = [&] {
    palette.update(bones);
    deform(palette, {.positions = positions.data(), .normals = normals.data()});
  };
  set_thread_count(1);
  const double cpu_seconds = minimum_seconds(on_cpu);
  set_thread_count(0);
  const double threads_seconds = minimum_seconds(on_cpu);
  if (const GLenum fault = glGetError(); fault != GL_NO_ERROR) {
    throw std::runtime_error(fmt::format("OpenGL reports error {:#x}", fault));
  }
  const double error =
      largest_difference(result, positions) / bounding_box(rig.mesh.positions).diagonal();
  fmt::print("{},{},{},{:.1f},{:.1f},{:.1f},{:.1f},{:.1f},{:.1f},{:.1e}\n", vertices, method,
             gradients ? "gradients" : "bones", 1e6 * pose_seconds, 1e6 * vertex_seconds,
             1e6 * compute_seconds, 1e6 * frame_seconds, 1e6 * cpu_seconds, 1e6 * threads_seconds,
             error);
  std::fflush(stdout);
}

void run(const std::string& shader_path, std::span<const std::size_t> sizes) {
  std::ifstream file(shader_path);
  const std::string shader{std::istreambuf_iterator<char>(file), {}};
  if (shader.empty()) throw std::runtime_error(fmt::format("{} cannot be read", shader_path));
  make_context();
  fmt::print("# {}, {}; the core on {} threads\n",
             reinterpret_cast<const char*>(glGetString(GL_RENDERER)),
             reinterpret_cast<const char*>(glGetString(GL_VERSION)), thread_count());
  fmt::print(
      "vertices,method,normals,pose_us,vertex_us,compute_us,frame_us,cpu_us,cpu_threads_us,"
      "error\n");
  make_target();
  for (const std::size_t size : sizes) {
    const Rig rig = character(size, 4);
    for (const char* method : {"lbs", "dqs", "stbs-lbs", "stbs-dqs"}) {
      for (const bool gradients : {false, true}) measure(shader, rig, method, gradients);
    }
  }
}

}  // namespace
}  // namespace sinew::bench

int main(int count, char** arguments) {
  if (count < 2) {
    fmt::print(stderr, "usage: sinew_gpu_bench bindings/shaders/sinew.glsl [VERTICES ...]\n");
    return 2;
  }
  try {
    std::vector<std::size_t> sizes;
    for (int i = 2; i < count; ++i) sizes.push_back(std::stoul(arguments[i]));
    if (sizes.empty()) sizes = {10000, 100000, 1000000};
    sinew::bench::run(arguments[1], sizes);
  } catch (const std::exception& error) {
    fmt::print(stderr, "sinew_gpu_bench: {}\n", error.what());
    return 1;
  }
  return 0;
}
