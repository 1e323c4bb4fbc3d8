/* global console, fetch, performance, process */
// Times what the console reads of large runs, whole and without what it does not show, in turn, so
// that whatever else the machine does slows both. The runs are those that `npm run big` leaves.
//   SUPERSTEP_URL=http://127.0.0.1:8080 node e2e/big/reads.mjs [rounds]

const url = process.env.SUPERSTEP_URL ?? 'http://127.0.0.1:8080';
const rounds = Number(process.argv[2] ?? 5);

async function get(path) {
  const answer = await fetch(`${url}/v1/runs/${path}`);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  const text = await answer.text();
  return { bytes: text.length, value: JSON.parse(text) };
}

async function all(path) {
  let bytes = 0;
  let cursor = '';
  do {
    const page = await get(`${path}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    bytes += page.bytes;
    cursor = page.value.next_cursor ?? '';
  } while (cursor);
  return bytes;
}

const one = async (path) => (await get(path)).bytes;
const slim = 'without=input,change&limit=2000';
const reads = [
  ['all tasks of 10,000 supersteps', () => all('big-10000-supersteps/tasks?limit=200'), () => all(`big-10000-supersteps/tasks?${slim}`)],
  ['all tasks of 10,000 dispatches', () => all('big-10000-dispatches/tasks?limit=200'), () => all(`big-10000-dispatches/tasks?${slim}`)],
  ['a run with 15 MB of output', () => one('big-16-megabytes'), () => one('big-16-megabytes?without=input,output')],
  ['a checkpoint of 15 MB', () => one('big-16-megabytes/checkpoints/4'), () => one('big-16-megabytes/checkpoints/4?values_max=50000&without=changes')],
];

const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];

for (const [what, ...ways] of reads) {
  const times = [[], []];
  const bytes = [0, 0];
  for (let round = 0; round < rounds; round++) {
    for (const [way, read] of ways.entries()) {
      const begun = performance.now();
      bytes[way] = await read();
      times[way].push(performance.now() - begun);
    }
  }
  const [whole, without] = times.map((it) => Math.round(median(it)));
  console.log(`${what}: ${whole} ms and ${bytes[0]} bytes whole, ${without} ms and ${bytes[1]} bytes without`);
}
