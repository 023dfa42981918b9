// The commands that serve a society, and the one that makes its keys.
#include "command_line.hpp"

#include "coracle/content.hpp"

namespace coracle::command {

namespace {

void add_service(CLI::App& app, ServiceSettings& settings) {
  app.add_option("--listen", settings.listen,
                 "The address that nodes connect to, as in 127.0.0.1:4410")
      ->required();
  app.add_option("--society", settings.society, "The name of the society");
  app.add_option("--key", settings.key,
                 "The society's key, from `coracle keys --society-key`, or the path of a file with "
                 "it; this or --tls is needed beyond this host. It does not protect the society "
                 "from its own members: --tls does")
      ->envname("CORACLE_KEY");
  app.add_option("--tls", settings.tls, "The folder with its certificate, from `coracle keys`")
      ->envname("CORACLE_TLS");
  app.add_flag("--insecure", settings.insecure,
               "Lets plain text leave this host, which others can read and change");
  app.add_option("--policy", settings.policy, "The file of the policy; it is read again on SIGHUP");
  app.add_option("--data", settings.data,
                 "The folder that stores messages for absent agents when their senders' nodes "
                 "stop; they survive a restart");
  app.add_option("--content-limit", settings.content_limit,
                 "The largest message that is stored for an agent, as in 64MiB; up to 1GiB")
      ->transform(CLI::AsSizeValue(false))
      ->check(CLI::Range(std::size_t{1}, coracle::max_content_bytes));
}

void add_keys(CLI::App& app, Act& act) {
  const auto [keys, settings] = add_command(
      app, act, "keys",
      "Makes a key or a certificate, which proves that a node belongs to a society:\n\n"
      "  coracle keys --society-key   prints a key, which all nodes of the society share\n"
      "  coracle keys FOLDER NODE     makes the certificate of a node, and first the society's\n"
      "                               authority if there is none\n\n"
      "A SHARED KEY DOES NOT PROTECT A SOCIETY FROM ITS OWN MEMBERS: a node with the key\n"
      "can take any name, can answer in another node's place, and cannot be identified or\n"
      "excluded alone. With certificates the identity of each node is proven, the policy can\n"
      "limit it, and its certificate can be revoked. Use a key among machines that are all yours.",
      run_keys);
  keys.add_flag("--society-key", settings.society_key, "Prints a fresh society key");
  keys.add_option("folder", settings.folder,
                  "The folder of the authority; it is made if there is none");
  keys.add_option("node", settings.node, "The name of the node, such as its host's name");
  keys.add_option("--society", settings.society, "The name of the society");
  keys.add_option("--host", settings.hosts,
                  "The host names and addresses by which other nodes reach the node");
  keys.add_option("--days", settings.days, "Days until the certificate expires")
      ->check(CLI::Range(1, 36500));
  keys.add_flag("--renew", settings.renew,
                "Replaces the node's certificate; a running node reads the new one within seconds");
  keys.add_flag("--revoke", settings.revoke,
                "Revokes all certificates of the node: writes crl.pem, which has to be in the "
                "folder of every node");
}

}  // namespace

void add_serving(CLI::App& app, Act& act) {
  const auto [directory, serving] =
      add_command(app, act, "directory", "Serves the directory of a society", run_directory);
  add_service(directory, serving);
  directory.add_option("--beacon", serving.beacon,
                       "The multicast address of its beacon, as in 239.192.44.10:4410, or off");
  const auto [central, clearing] = add_command(
      app, act, "central",
      "Serves a society as its clearinghouse, through which all its messages go", run_central);
  add_service(central, clearing);
  add_keys(app, act);
}

}  // namespace coracle::command
