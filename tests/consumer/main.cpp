// A program outside the project that uses the installed library.
#include <coracle/version.hpp>
#include <iostream>

int main() { std::cout << "coracle " << coracle::version << '\n'; }
