import { defineConfig } from '@playwright/test';
import base from './playwright.config';

/** Measures the console with much to show, against a service that runs: `npm run big`, see README.md. */
export default defineConfig({
  ...base,
  testDir: 'e2e/big',
  outputDir: '../target/console-big',
  testIgnore: [],
  fullyParallel: false,
  workers: 1,
  timeout: 900_000,
  globalTimeout: 3_600_000,
  expect: { timeout: 60_000 },
});
