// SPDX-License-Identifier: Apache-2.0
// What the parts of wasm_reference share.
#pragma once

#include <cstddef>
#include <string>

#include "bindings/c/sinew.h"

// Ends the program with the library's message where a call failed.
void check(sinew_status status);

void write(const std::string& path, const void* data, std::size_t size);

// Files of every kind that the library writes, from samples and from FOLDER/model.glb.
void write_files(const std::string& folder);
