// Incompressible text, made much as the workloads of the service make it.
const SYMBOLS = "abcdefghijklmnopqrstuvwxyz012345";
const POOL = 1 << 20;
const random = Array.from({ length: POOL }, () => SYMBOLS[Math.floor(Math.random() * 32)]).join("");

export function text(length) {
  const from = Math.floor(Math.random() * (POOL - length));
  return random.slice(from, from + length);
}
