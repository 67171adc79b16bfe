import type {
  ChatEndpoint,
  ChatSettings,
  ConversationImportPreview,
  ConversationSettings,
} from "../ipc/bindings.gen";
import { emitEvent } from "../ipc/mock";
import { fail } from "./store";
import type { Talks } from "./talk";

const PRESETS: ChatSettings["presets"] = [
  ["ollama", "Ollama", "http://localhost:11434/v1", false, "Runs on this computer."],
  ["lmstudio", "LM Studio", "http://localhost:1234/v1", false, "Runs on this computer."],
  ["llamacpp", "llama.cpp", "http://localhost:8080/v1", false, "Runs on this computer."],
  ["openai", "OpenAI", "https://api.openai.com/v1", true, "A key from your account there."],
  ["openrouter", "OpenRouter", "https://openrouter.ai/api/v1", true, "One key, many models."],
  ["anthropic", "Anthropic", "https://api.anthropic.com", true, "A key from your account there."],
].map(([id, name, baseUrl, needsKey, hint]) => ({
  id: id as string,
  name: name as string,
  provider: id === "anthropic" ? ("anthropic" as const) : ("open_ai_compatible" as const),
  baseUrl: baseUrl as string,
  needsKey: needsKey as boolean,
  hint: hint as string,
}));

/** The language model and the settings of conversations, and the import of older ones. */
export class Chat {
  endpoint: ChatEndpoint | null = null;
  hasKey = false;
  settings: ConversationSettings = {
    keepOnlySummaries: false,
    workingMemoryCap: 50,
    compactAtTokens: 12_000,
    retainTurns: 10,
    summariseEveryHours: 6,
  };
  private running: ReturnType<typeof setInterval> | undefined;
  private stopImport: (() => void) | undefined;

  constructor(private readonly talks: Talks) {
    if (talks.chat !== "none") {
      this.endpoint = {
        provider: "open_ai_compatible",
        baseUrl: "http://localhost:11434/v1",
        model: "llama3.2:3b",
        contextTokens: 8192,
      };
    }
  }

  private view(): ChatSettings {
    return {
      endpoint: this.endpoint,
      hasKey: this.hasKey,
      keyPlace: "the keyring of this computer",
      presets: PRESETS,
    };
  }

  private set(endpoint: ChatEndpoint | null, key: string | null, forgetKey: boolean) {
    this.talks.writable();
    if (endpoint && !/^https?:\/\//.test(endpoint.baseUrl))
      throw fail("invalid", "An address begins with http:// or https://.", { field: "baseUrl" });
    this.endpoint = endpoint;
    if (key) this.hasKey = true;
    if (forgetKey) this.hasKey = false;
    this.talks.chat = endpoint ? (this.talks.chat === "dead" ? "dead" : "ok") : "none";
    this.talks.tell("settings");
    return this.view();
  }

  private preview(path: string): ConversationImportPreview {
    if (!path.endsWith(".json") && !path.endsWith(".zip"))
      throw fail("invalid", "This is no export of conversations.", { field: "path" });
    return {
      format: "chatgpt",
      conversations: 214,
      newConversations: 200,
      updatedConversations: 4,
      unchangedConversations: 10,
      messages: 6120,
      skipped: [{ reason: "pictures", count: 31 }],
      firstAt: "2023-02-11T18:00:00Z",
      lastAt: "2025-12-30T21:15:00Z",
      titles: ["Naming the moons", "A treaty on sailcloth", "Who feeds the herons?"],
    };
  }

  private import_() {
    this.talks.writable();
    let read = 0;
    return new Promise((resolve, reject) => {
      this.stopImport = () => {
        clearInterval(this.running);
        reject(fail("cancelled", "The import was cancelled. What came in so far stays."));
      };
      this.running = setInterval(() => {
        read += 5;
        void emitEvent.importProgress.emit({
          readBytes: read * 1e6,
          totalBytes: 100e6,
          conversations: read * 2,
        });
        if (read < 100) return;
        clearInterval(this.running);
        this.talks.tell("channels", "transcript");
        resolve({ conversations: 200, messages: 6120, updated: 4 });
      }, this.talks.pace);
    });
  }

  commands: Record<string, (args: never) => unknown> = {
    chat_settings: () => this.view(),
    set_chat_endpoint: (a: { endpoint: ChatEndpoint | null; key: string | null; forgetKey: boolean }) =>
      this.set(a.endpoint, a.key, a.forgetKey),
    test_chat_endpoint: ({ endpoint }: { endpoint: ChatEndpoint }) => {
      if (this.talks.chat === "dead")
        throw fail("model_unavailable", `Nothing answers at ${endpoint.baseUrl}.`);
      return { models: ["llama3.2:3b", "qwen2.5:7b"], tookMs: 84 };
    },
    conversation_settings: () => this.settings,
    set_conversation_settings: ({ settings }: { settings: ConversationSettings }) => {
      this.talks.writable();
      this.settings = settings;
      this.talks.tell("settings");
      return settings;
    },
    preview_conversation_import: ({ path }: { path: string }) => this.preview(path),
    import_conversations: () => this.import_(),
    cancel_conversation_import: () => {
      this.stopImport?.();
      return null;
    },
  };
}
