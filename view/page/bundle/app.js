const list = document.createElement("ol");
document.getElementById("app").append(list);
const socket = new WebSocket("feed", "coracle.view.1");
socket.onmessage = ({ data }) => {
  for (const message of JSON.parse(data).messages ?? []) {
    const line = document.createElement("li");
    line.textContent = `${message.from} -> ${message.to}: ${message.text ?? ""}`;
    list.prepend(line);
  }
};
