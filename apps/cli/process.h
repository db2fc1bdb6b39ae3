// SPDX-License-Identifier: Apache-2.0
// What the program makes of its surroundings: closed streams and signals.
#pragma once

namespace sinew::cli {

// Files that are opened later must not take the numbers of standard streams that are closed:
// messages and results would be written into them. Messages to a closed stderr vanish; a result for
// a closed stdout is one that cannot be written.
void guard_standard_streams();

// Takes none itself.
void say_out_of_memory();

// Where memory is missing, the program ends at once, as by any other error: with a message, its
// status, and outputs as they were.
void guard_memory();

// Has large arrays given back to the system as soon as they are freed, whatever was freed before:
// where each step needs others, kept ones add up to half as much again. Call it first.
void give_back_memory();

// From now on Ctrl-C, SIGTERM and SIGHUP end the program at once, whatever it does, with the exit
// status 128 and the signal's number: outputs are complete or as they were, nothing else is left
// and no encoder runs on. A second signal ends it even if removing files takes long. Exceeding the
// limit of file sizes is an ordinary error. Call it before any other thread is started.
void end_on_signals();

}  // namespace sinew::cli
