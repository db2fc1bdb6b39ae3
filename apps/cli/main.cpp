// SPDX-License-Identifier: Apache-2.0
#include <new>

#include <fmt/format.h>

#include "command.h"
#include "sinew/core/error.h"
#include "sinew/core/parallel.h"

namespace sinew::cli {
namespace {

constexpr const char* examples = R"(Examples:
  sinew sample mannequin -o hero.glb     write a built-in character
  sinew info hero.glb                    what is in it, and what is wrong with it
  sinew weights hero.glb -o rigged.glb   automatic weights, and how good they are
  sinew pose hero.glb -o pose.json       its joints, to be twisted, bent and stretched
  sinew render hero.glb -o hero.png      a picture
  sinew image cat.png -o cat.glb         a picture cut out, meshed and rigged
  sinew demo                             the tour

Exit status: 0 done; 1 done, but the result is poor; 2 wrong usage; 3 bad input.
Each command has its own --help.)";

ExitStatus fail(ExitStatus status, const std::exception& error) {
  fmt::print(stderr, "sinew: {}\n", error.what());
  return status;
}

ExitStatus run(const Command& command) {
  try {
    set_thread_count(command.common.threads);
    return command.run();
  } catch (const UsageError& error) {
    return fail(wrong_usage, error);
  } catch (const InputError& error) {
    return fail(bad_input, error);
  } catch (const FileError& error) {
    return fail(bad_input, error);
  } catch (const Cancelled& error) {
    return fail(stopped, error);
  } catch (const std::bad_alloc&) {
    return fail(bad_input, Error("there is not enough memory for this input"));
  } catch (const std::exception& error) {
    return fail(bad_input, Error(fmt::format("unexpected: {}; please report it", error.what())));
  }
}

}  // namespace
}  // namespace sinew::cli

int main(int argc, char** argv) {
  using namespace sinew::cli;
  CLI::App app("Sinew: stretchable, twistable bones for any character", "sinew");
  app.set_version_flag("--version", "sinew " SINEW_VERSION);
  app.require_subcommand(1);
  app.footer(examples);
  Command command;
  add_info(app, command);
  add_sample(app, command);
  add_weights(app, command);
  add_edit(app, command);
  add_pose(app, command);
  add_animate(app, command);
  add_deform(app, command);
  add_compare(app, command);
  add_bake(app, command);
  add_render(app, command);
  add_image(app, command);
  add_demo(app, command);
  add_bench(app, command);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return wrong_usage;
  }
  catch_signals();
  return run(command);
}
