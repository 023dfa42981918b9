// The TLS part of Asio, compiled once; the rest of Asio is in coracle/src/asio.cpp.
#include <boost/asio/ssl/impl/src.hpp>
