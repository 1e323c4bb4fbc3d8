import { defineConfig } from 'vitest/config';

// The service that `npm run dev` talks to; the pages themselves come from Vite.
const service = process.env.SUPERSTEP_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  esbuild: { jsx: 'automatic' },
  server: { port: 5173, proxy: { '/v1': service, '/v3': service } },
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
