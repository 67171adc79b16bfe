import { fileURLToPath } from "node:url";
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const CORE = "src/**/*.core.test.tsx";
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * One window, two builds: the shipped one (`index.html`), and a harness (`harness.html`, mode "harness") that reaches the
 * core through `inklings dev-serve`, for the browser suite. The harness never reaches `dist`.
 */
export default defineConfig(({ mode }) => ({
  root: here("."),
  plugins: [react(), tailwind()],
  resolve: { alias: { "@": here("src") } },
  clearScreen: false,
  server: { port: 5173, strictPort: true, host: "127.0.0.1" },
  build: {
    target: "es2022",
    outDir: mode === "harness" ? "dist-harness" : "dist",
    emptyOutDir: true,
    // A data: URL would need an exception in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: { input: mode === "harness" ? here("harness.html") : here("index.html") },
  },
  test: {
    environment: "happy-dom",
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
    testTimeout: 180_000,
    // `units` need nothing but the sources; `core` opens the window on the built program.
    projects: [
      {
        extends: true,
        test: {
          name: "units",
          include: ["src/**/*.test.{ts,tsx}"],
          exclude: [CORE],
          setupFiles: ["src/testing/setupUnits.ts"],
        },
      },
      {
        extends: true,
        oxc: { jsx: { development: false } },
        test: {
          name: "core",
          // One world of modules for all files: the program is loaded once and stays compiled (docs/build-times.md).
          isolate: false,
          include: [CORE],
          globalSetup: ["src/testing/prepare.ts"],
          setupFiles: ["src/testing/setupCore.ts"],
          env: { NODE_ENV: "production" },
        },
      },
    ],
  },
}));
