// The main() of every test executable. Test sources include <boost/test/unit_test.hpp> and need no
// BOOST_TEST_MODULE.
#define BOOST_TEST_MODULE coracle
#include <boost/test/unit_test.hpp>
