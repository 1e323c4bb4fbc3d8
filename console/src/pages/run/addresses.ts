/** The addresses of a run and of what is in it. */
export const runPath = (run: string, ...parts: (string | number)[]) => ['/runs', ...[run, ...parts].map((it) => encodeURIComponent(it))].join('/');
