// SPDX-License-Identifier: Apache-2.0
// A deformation method as a value, and the list of named methods.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/deform/bone_state.h"
#include "sinew/rig/rig.h"

namespace sinew {

class Binding;
class BoundMethod;
struct Deformed;
struct ShapedMesh;
namespace reference {
struct SkinPoint;
// Deforms a point of the rest shape, at or near the vertex `vertex`.
using PointMap = std::function<Vec3(std::size_t vertex, const SkinPoint& point)>;
}  // namespace reference

// What a method reads from a rig, and what its bones can do.
struct MethodTraits {
  bool endpoints = false;  // reads endpoint weights
  bool triangles = false;  // reads the triangles, even if only positions are computed
  bool twists = false;     // bones twist along their length
  bool scales = false;     // a bone that changes length scales all of its skin along its axis
  BoneDetail bones = BoneDetail::all;  // how much of a BoneState it reads

  friend bool operator==(const MethodTraits&, const MethodTraits&) = default;
};

// Input of a method's reference: a valid rig, one state per bone, and the mesh with the pose's
// blend shapes applied.
struct ReferenceInput {
  const Rig& rig;
  std::span<const BoneState> bones;
  ShapedMesh& shaped;  // may be moved from
  bool with_normals = false;
};

// The interface that each method implements.
class MethodImpl {
 public:
  virtual ~MethodImpl() = default;
  // What it needs and can do.
  virtual MethodTraits traits() const = 0;
  // The reference, in double precision. Throws UsageError for settings that do not fit the rig.
  virtual Deformed reference(const ReferenceInput& input) const = 0;
  // The same for single points, if the method moves each by itself; what it reads of the whole
  // shape is that of the input, which must outlive the map. Empty for other methods.
  virtual reference::PointMap point_map(const ReferenceInput&) const { return {}; }
  // The fast path, prepared for many poses (see kernels/bound_method.h). Throws as above.
  virtual std::unique_ptr<const BoundMethod> bind(const Binding& binding) const = 0;
};

// A method with its settings. Settings such as Skinning, StretchIt or OffsetCurveArc convert to it.
class Method {
 public:
  // `impl` must not be null. Copies share it.
  explicit Method(std::shared_ptr<const MethodImpl> impl) : impl_(std::move(impl)) {}

  // What it needs and can do.
  MethodTraits traits() const { return impl_->traits(); }
  // What it is made of.
  const MethodImpl& impl() const { return *impl_; }

 private:
  std::shared_ptr<const MethodImpl> impl_;
};

// A setting of a method that users give by name, as `--name` on the command line.
struct MethodOption {
  // What its value is.
  enum class Kind {
    whole,   // a whole number
    number,  // a real number
    choice,  // one of a few words
    joints,  // any number of joint names, for the bones of these joints
  };
  std::string_view name;
  Kind kind = Kind::number;
  double least = 0, most = 0;                      // for numbers
  std::span<const std::string_view> choices = {};  // for choice
  std::string_view help;                           // one line, including the default
};

// The words given for each option.
using GivenOptions = std::map<std::string, std::vector<std::string>, std::less<>>;

// An option got a value that it does not accept. The message begins with the option's name.
class OptionError : public UsageError {
 public:
  using UsageError::UsageError;
};

class MethodSettings;

// An entry in the list of methods: all that the command line, comparisons, benchmarks and tests
// know about it.
struct MethodInfo {
  std::string_view name;
  std::string_view summary;  // one line
  MethodTraits traits;
  std::span<const MethodOption> options = {};
  // Makes the method with the given settings, and defaults for this rig for the others.
  Method (*make)(const Rig& rig, const MethodSettings& given) = nullptr;
};

// The options given for a method, parsed as the method declares them. A missing option gets the
// value of `otherwise`. All functions throw OptionError for words that the option does not accept.
class MethodSettings {
 public:
  // Throws OptionError for an option that the method does not have. All arguments must outlive
  // this.
  MethodSettings(const MethodInfo& method, const Rig& rig, const GivenOptions& given);

  // The number that was given, or `otherwise`.
  int whole(std::string_view name, int otherwise) const;
  double number(std::string_view name, double otherwise) const;
  // The number that was given, if any.
  std::optional<double> number(std::string_view name) const;
  // The index of the chosen word in the option's choices.
  int choice(std::string_view name, int otherwise) const;
  // The bones of the joints that were named.
  std::vector<BoneIndex> joints(std::string_view name, std::vector<BoneIndex> otherwise) const;

 private:
  const std::vector<std::string>* words(std::string_view name) const;
  double in_range(const MethodOption& option, const std::string& word) const;
  const MethodOption& option(std::string_view name) const;

  const MethodInfo& method_;
  const Rig& rig_;
  const GivenOptions& given_;
};

// All methods of this build. The list is in kernels/methods.cpp.
std::span<const MethodInfo* const> methods();

// Null if there is no method with this name.
const MethodInfo* find_method(std::string_view name);

// The method with this name, with the given options, and defaults for this rig for the others.
// Throws UsageError listing the names and suggesting similar ones; OptionError as MethodSettings.
Method method_from_name(std::string_view name, const Rig& rig, const GivenOptions& options = {});

}  // namespace sinew
