import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/** The system's own Chromium: nothing is downloaded. */
const candidates = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = process.env.CHROMIUM ?? candidates.find((path) => existsSync(path));

export default defineConfig({
  testDir: "tests/browser",
  outputDir: "test-results",
  globalSetup: "src/testing/prepare.ts",
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  retries: 0,
  timeout: 180_000,
  // Generous, for machines that build something else meanwhile; a test that passes does not wait.
  expect: { timeout: 30_000 },
  reporter: [["list"]],
  use: {
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      executablePath,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
