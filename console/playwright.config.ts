import { defineConfig } from '@playwright/test';

/** Stories in a real browser, against a service that runs: see README.md. */
export default defineConfig({
  testDir: 'e2e',
  testIgnore: '**/big/**',
  outputDir: '../target/console-e2e',
  reporter: 'list',
  fullyParallel: true,
  workers: 2,
  timeout: 180_000,
  globalTimeout: 840_000,
  expect: { timeout: 45_000 },
  use: {
    baseURL: process.env.SUPERSTEP_URL ?? 'http://127.0.0.1:8080',
    // Without pictures of every moment: each story would be drawn and encoded twice.
    trace: { mode: 'retain-on-failure', screenshots: false, sources: false },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
