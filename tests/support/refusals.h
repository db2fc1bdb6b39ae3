// SPDX-License-Identifier: Apache-2.0
// The error message of a rejected call.
#pragma once

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "sinew/core/error.h"

// What is refused everywhere. (Not `nan`, which is a function of the C library.)
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// The message of the `Refusal` (UsageError, InputError) that the call throws; "" if it succeeds.
// Any other outcome fails the test.
template <class Refusal, class Function>
std::string refusal(Function&& function) {
  try {
    function();
  } catch (const Refusal& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "refused in another way: " << error.what();
  }
  return "";
}

template <class Function>
std::string wrong_usage(Function&& function) {
  return refusal<sinew::UsageError>(function);
}

template <class Function>
std::string bad_input(Function&& function) {
  return refusal<sinew::InputError>(function);
}
