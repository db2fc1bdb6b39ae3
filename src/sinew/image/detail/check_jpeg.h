// SPDX-License-Identifier: Apache-2.0
// Checks of JPEG files that the decoder, or some versions of it, omit.
#pragma once

#include <string_view>

namespace sinew::images {

// Throws InputError with the place where a Huffman table has more than 256 codes, where a scan
// names a table that the file has not given before it, or where no end-of-image marker follows all
// segments.
void check_jpeg(std::string_view bytes);

}  // namespace sinew::images
