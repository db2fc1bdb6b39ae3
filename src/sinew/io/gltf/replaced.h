// SPDX-License-Identifier: Apache-2.0
// Removes what an update of a document has replaced.
#pragma once

#include "sinew/io/gltf/document.h"

namespace sinew::gltf {

// Removes the accessors and buffer views that something used in `source` and nothing uses in
// `document`, with their bytes. `document` is a copy of `source` in which data was appended.
// Appended accessors and views take the numbers of removed ones; the others keep theirs as long as
// not more is removed than appended, and always their bytes and order. What nothing used in the
// source stays. Nothing is removed where the document has an extension that we do not know, since
// it may name any of them.
void remove_replaced(Document& document, const Document& source);

}  // namespace sinew::gltf
