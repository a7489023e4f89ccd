// What a program outside this tree sees: the installed headers and the exported symbols.
#include <convoy/status.hpp>

int main() { return convoy::name(convoy::errc::ok) == "ok" ? 0 : 1; }
