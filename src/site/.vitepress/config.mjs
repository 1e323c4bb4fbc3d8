import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { defineConfig } from "vitepress";

// The pages stay where a reader of the repository finds them; addresses are their paths.
const root = resolve(import.meta.dirname, "../../..");

// The table of contents is docs/README.md itself: each of its tables is a group of the sidebar.
function sidebar() {
  const groups = [];
  for (const line of readFileSync(join(root, "docs/README.md"), "utf8").split("\n")) {
    const heading = line.match(/^## (.+)/);
    if (heading) {
      groups.push({ text: heading[1], items: [] });
    }
    if (groups.length > 0 && line.startsWith("| [")) {
      for (const [, text, target] of line.split("|")[1].matchAll(/\[([^\]]+)]\(([^)#]+)\)/g)) {
        groups.at(-1).items.push({ text, link: page(posix.join("docs", target)) });
      }
    }
  }
  if (existsSync(join(root, "target/docs/reference"))) {
    groups.push({ text: "Reference, as built", items: built.map(([text, target]) => ({ text, link: page("target/docs/" + target) })) });
  }
  return groups;
}

// What the tests have written, if they have run: see docs/reference.md.
const built = [
  ["Every key of a graph", "reference/graph.md"],
  ["Node types", "reference/nodes.md"],
  ["Reducers", "reference/channels.md"],
  ["Transforms", "reference/context.md"],
  ["Error codes", "reference/errors.md"],
  ["Mistakes", "mistakes.md"],
];

function page(path) {
  return "/" + path.replace(/(^|\/)README\.md$/, "$1").replace(/\.md$/, "");
}

// What pages link to and what is no page, such as a graph, comes along as a file, which browsers
// show as text.
const files = new Map();

function linked(href, relativePath) {
  if (/^[a-z]+:|^#|^\//.test(href)) {
    return href;
  }
  const [target, fragment] = href.split("#");
  const path = posix.join(posix.dirname(relativePath), target);
  const hash = fragment === undefined ? "" : "#" + fragment;
  const file = join(root, path);
  if (!existsSync(file)) {
    throw new Error(`${relativePath} links to ${href}, which does not exist`);
  }
  if (statSync(file).isDirectory()) {
    return existsSync(join(file, "README.md")) ? posix.join("/", path, "/") + hash : "/" + path;
  }
  if (path.endsWith(".md")) {
    return page(path) + hash;
  }
  const copy = /\.(json|xml|yaml)$/.test(path) ? path : path + ".txt";
  files.set(path, copy);
  return "/files/" + copy + hash;
}

// Pages lie outside of this folder, and would look for Vue beside them.
const outside = {
  name: "outside",
  enforce: "pre",
  resolveId: (id, _, options) =>
    options.ssr && /^vue(\/server-renderer)?$/.test(id) ? { id, external: true } : undefined,
};

export default defineConfig({
  title: "Superstep",
  description: "Durable graphs of LLM agents",
  srcDir: root,
  srcExclude: ["*/**/target/**", "target/!(docs)/**", "**/node_modules/**", "**/data/**", "src/*/{main,test,bench,build}/**", ".*/**"],
  outDir: join(root, "target/site"),
  cacheDir: join(root, "target/site-cache"),
  rewrites: (id) => id.replace(/(^|\/)README\.md$/, "$1index.md"),
  // Folders and pages of the sources are read in the repository.
  ignoreDeadLinks: [/^\/files\//, /^\/src\//, /^https?:\/\/(localhost|127\.0\.0\.1)/],
  markdown: {
    html: false,
    attrs: { disable: true },
    anchor: { slugify: slug },
    config(md) {
      // Braces are templates of graphs here, not of the site.
      for (const rule of ["text", "code_inline"]) {
        const render = md.renderer.rules[rule];
        md.renderer.rules[rule] = (...args) => render(...args).replaceAll("{{", "&#123;&#123;");
      }
      const fence = md.renderer.rules.fence;
      md.renderer.rules.fence = (tokens, i, options, env, self) =>
        tokens[i].info.trim() === "mermaid"
          ? `<Diagram source="${encodeURIComponent(tokens[i].content)}" />`
          : fence(tokens, i, options, env, self);
      md.renderer.rules.code_block = (tokens, i, ...rest) => {
        tokens[i].info = "sh";
        return fence(tokens, i, ...rest);
      };
      md.core.ruler.push("links", (state) => {
        for (const token of state.tokens.flatMap((it) => it.children ?? [])) {
          if (token.type === "link_open") {
            token.attrSet("href", linked(token.attrGet("href"), original(state.env)));
          }
        }
      });
    },
  },
  buildEnd(site) {
    for (const [file, name] of files) {
      const copy = join(site.outDir, "files", name);
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(join(root, file), copy);
    }
  },
  vite: {
    plugins: [outside],
    build: { chunkSizeWarningLimit: 4000 },
  },
  themeConfig: {
    nav: [
      { text: "Tutorial", link: "/docs/tutorial" },
      { text: "Cookbook", link: "/docs/cookbook" },
      { text: "Language", link: "/docs/language" },
      { text: "Examples", link: "/examples/" },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: "local" },
  },
});

// As repositories make them, so that one link works in both places.
function slug(text) {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

function original(env) {
  return env.realPath ? posix.relative(root, env.realPath) : env.relativePath;
}
