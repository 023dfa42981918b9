// Asio, compiled separately from the files that use it.
#include <boost/asio/impl/src.hpp>
