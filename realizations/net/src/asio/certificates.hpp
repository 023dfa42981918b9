// Makes the certificates of a society: its authority, and one for each of its nodes.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace coracle::net {

// Who signs for a society. It is two files in a folder: authority.pem, which everybody believes,
// and authority.key, which nobody else may have.
class Authority {
 public:
  // Takes the one of that folder, or makes one, and the folder if need be. Throws
  // Errc::bad_options when neither can be done.
  explicit Authority(std::string folder, const std::string& society);
  ~Authority();

  // Makes FOLDER/node/ with what that node needs (see tls_files_in) and returns that path. The
  // certificate is for a node of that name of the society, at those hosts: names or addresses by
  // which others reach it. Throws Errc::bad_options, also when there is one of that name.
  std::string issue(const std::string& node, const std::vector<std::string>& hosts, int days);
  // Makes another one in place of that of such a node, or the first one. A node that runs takes it
  // up, and the old one stays good until it expires or is revoked.
  std::string renew(const std::string& node, const std::vector<std::string>& hosts, int days);
  // Puts all certificates that were issued to that node on the list of those that are not good any
  // more, which is crl.pem here and in the folders of nodes beside it, and returns its path. Throws
  // Errc::bad_options, also when none was issued.
  std::string revoke(const std::string& node);

 private:
  std::string write_node(const std::string& node, const std::vector<std::string>& hosts, int days);
  struct Keys;
  std::string folder_, society_;
  std::unique_ptr<Keys> keys_;
};

}  // namespace coracle::net
