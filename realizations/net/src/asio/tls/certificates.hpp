// Makes the certificates of a society: its authority, and one for each of its nodes.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace coracle::net {

// The authority that signs the certificates of a society. It consists of two files in a folder:
// authority.pem, which every node trusts, and authority.key, which must stay with the authority.
class Authority {
 public:
  // Opens the authority in `folder`, or creates one, and the folder if need be. Throws
  // Errc::bad_options when neither can be done.
  explicit Authority(std::string folder, const std::string& society);
  ~Authority();

  // Creates FOLDER/node/ with the files that this node needs (see tls_files_in) and returns that
  // path. The certificate is for the node of that name in the society, at `hosts`: the names or
  // addresses by which others reach the node. Throws Errc::bad_options, also when a node of that
  // name has a certificate.
  std::string issue(const std::string& node, const std::vector<std::string>& hosts, int days);
  // Replaces the certificate of such a node by a new one, or issues its first one. A running node
  // picks the new certificate up, and the old one stays valid until it expires or is revoked.
  std::string renew(const std::string& node, const std::vector<std::string>& hosts, int days);
  // Puts all certificates that were issued to that node on the list of revoked certificates, and
  // returns the path of the list. The list is crl.pem in this folder and in the folders of nodes
  // beside it. Throws Errc::bad_options, also when none was issued.
  std::string revoke(const std::string& node);

 private:
  std::string write_node(const std::string& node, const std::vector<std::string>& hosts, int days);
  struct Keys;
  std::string folder_, society_;
  std::unique_ptr<Keys> keys_;
};

}  // namespace coracle::net
