// SPDX-License-Identifier: Apache-2.0
// A method of deformation as a value, and the one list of those that have names.
#pragma once

#include <map>
#include <memory>
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

// What a method reads of a rig, and what its bones can do.
struct MethodTraits {
  bool endpoints = false;  // reads endpoint weights
  bool triangles = false;  // reads the triangles, even for positions alone
  bool twists = false;     // bones twist along their length
  bool scales = false;     // bones whose length changes scale along their axis all that they hold
  BoneDetail bones = BoneDetail::all;  // how much of the bones' states it reads

  friend bool operator==(const MethodTraits&, const MethodTraits&) = default;
};

// What deform_reference() hands to a method: a valid rig, one state for each of its bones, and its
// mesh with the pose's blend shapes.
struct ReferenceInput {
  const Rig& rig;
  std::span<const BoneState> bones;
  ShapedMesh& shaped;  // may be moved from
  bool with_normals = false;
};

// What each method is made of.
class MethodImpl {
 public:
  virtual ~MethodImpl() = default;
  // What it needs and can do.
  virtual MethodTraits traits() const = 0;
  // In double precision. Throws UsageError for settings that do not fit the rig.
  virtual Deformed reference(const ReferenceInput& input) const = 0;
  // The fast path, made ready for many poses (see kernels/bound_method.h). Throws as above.
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

// A setting of a method that users can give by name, as `--name` on the command line.
struct MethodOption {
  // What its value is.
  enum class Kind {
    whole,   // a whole number
    number,  // a real number
    choice,  // one of a few words
    joints,  // any number of joints, by name, whose bones are meant
  };
  std::string_view name;
  Kind kind = Kind::number;
  double least = 0, most = 0;                      // of numbers
  std::span<const std::string_view> choices = {};  // of words
  std::string_view help;                           // one line, with the default
};

// The words that were given for each option.
using GivenOptions = std::map<std::string, std::vector<std::string>, std::less<>>;

// An option was given what it does not take. The message begins with the option's name.
class OptionError : public UsageError {
 public:
  using UsageError::UsageError;
};

class MethodSettings;

// A method of the list: all that the command line, comparisons, benchmarks and tests know of it.
struct MethodInfo {
  std::string_view name;
  std::string_view summary;  // one line
  MethodTraits traits;
  std::span<const MethodOption> options = {};
  // With its default settings for the rig, but for those that were given.
  Method (*make)(const Rig& rig, const MethodSettings& given) = nullptr;
};

// The options given for a method, each read as the method declares it. What is missing gets the
// value of `otherwise`. All throw OptionError for words that the option does not take.
class MethodSettings {
 public:
  // Throws OptionError for an option that the method does not have. All must outlive this.
  MethodSettings(const MethodInfo& method, const Rig& rig, const GivenOptions& given);

  // The number that was given, or `otherwise`.
  int whole(std::string_view name, int otherwise) const;
  double number(std::string_view name, double otherwise) const;
  // The place of the chosen word among the option's choices.
  int choice(std::string_view name, int otherwise) const;
  // The bones of the joints that were named.
  std::vector<int> joints(std::string_view name, std::vector<int> otherwise) const;

 private:
  const std::vector<std::string>* words(std::string_view name) const;
  double in_range(const MethodOption& option, const std::string& word) const;
  const MethodOption& option(std::string_view name) const;

  const MethodInfo& method_;
  const Rig& rig_;
  const GivenOptions& given_;
};

// Every method there is in this build: the list is in kernels/methods.cpp.
std::span<const MethodInfo* const> methods();

// Null if there is none of that name.
const MethodInfo* find_method(std::string_view name);

// The method of that name with its default settings for the rig, but for the options that are
// given. Throws UsageError listing the names, with the nearest ones; OptionError as MethodSettings.
Method method_from_name(std::string_view name, const Rig& rig, const GivenOptions& options = {});

}  // namespace sinew
