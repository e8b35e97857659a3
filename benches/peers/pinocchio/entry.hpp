// Writes a file with the C of a function of q, v, u and p, and an entry to it.
#pragma once
#include <casadi/casadi.hpp>

#include <fstream>
#include <string>
#include <vector>

static void write_entry(const std::string &folder, const std::string &file, const std::string &name,
                        const std::vector<casadi::SX> &arguments, const casadi::SX &result) {
  casadi::Function function(name + "_raw", arguments, {cse(densify(result))});
  casadi::CodeGenerator code(file, {{"with_header", false}});
  code.add(function);
  code.generate(folder + "/");
  // CasADi asks whether pointers are null. In line, which GCC has to be told of long functions, that costs nothing: a tenth
  // of the time of a humanoid otherwise.
  std::ofstream(folder + "/" + file + "_entry.c")
      << "#define CASADI_SYMBOL_EXPORT static __attribute__((unused))\n"
      << "#include \"" << file << ".c\"\n"
      << "__attribute__((flatten)) void " << name << "(const double *restrict q, const double *restrict v, const double *restrict u,\n"
      << "    const double *restrict p, double *restrict out) {\n"
      << "  if (!q || !v || !u || !p || !out) __builtin_unreachable();\n"
      << "  const double *arguments[4] = {q, v, u, p};\n"
      << "  double *results[1] = {out}, work[" << function.sz_w() + 1 << "];\n"
      << "  " << name << "_raw(arguments, results, 0, work, 0);\n"
      << "}\n";
  printf("%s: %lld operations\n", name.c_str(), (long long)function.n_instructions());
}
