import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

// The service that `npm run dev` talks to; the pages themselves come from Vite.
const service = process.env.SUPERSTEP_URL ?? 'http://127.0.0.1:8080';

/** Writes what the service sends to browsers that take it compressed, beside each file. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir = 'dist' }) {
      const assets = join(dir, 'assets');
      for (const name of readdirSync(assets).filter((it) => /\.(js|css|svg)$/.test(it))) {
        const bytes = readFileSync(join(assets, name));
        writeFileSync(join(assets, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

export default defineConfig({
  plugins: [compressed()],
  // The service puts a nonce of each answer in its place.
  html: { cspNonce: '__CSP_NONCE__' },
  esbuild: { jsx: 'automatic', jsxDev: false },
  server: { port: 5173, proxy: Object.fromEntries(['/v1', '/v3', '/swagger-ui', '/sign-in', '/sign-out'].map((it) => [it, service])) },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    rollupOptions: {
      // Mantine marks its modules for servers that render React; a bundle has no use for the marks.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
    },
  },
  test: { environment: 'happy-dom', include: ['src/**/*.test.{ts,tsx}'] },
});
