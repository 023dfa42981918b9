// For browsers that know no modules.
document.addEventListener("DOMContentLoaded", function () {
  document.getElementById("app").textContent =
    "This browser is too old for the live view. Use one from 2022 or later, or coracle top and watch in the shell.";
});
