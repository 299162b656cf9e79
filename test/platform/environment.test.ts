import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ConfigurationError, type EnvironmentReader, readEnvironment } from "../../services/platform/environment.ts";

const Environment = suite("environment");

const build = (read: EnvironmentReader) => ({
  host: read.text("HOST", "127.0.0.1"),
  port: read.integer("PORT", 80, 1, 65_535),
  url: read.url("URL", "http://a.example"),
  level: read.logLevel(),
  database: read.required("OWN_DATABASE", "DATABASE"),
});

Environment("fills in defaults, and takes blank for unset", () => {
  const config = readEnvironment({ DATABASE: "postgres://", HOST: " ", URL: "https://b.example/" }, build);
  assert.equal(config, {
    host: "127.0.0.1",
    port: 80,
    url: "https://b.example",
    level: "info",
    database: "postgres://",
  });
});

Environment("reports every fault at once and repeats no value", () => {
  try {
    readEnvironment({ PORT: "70000", URL: "secret://x", LOG_LEVEL: "loud" }, build);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, ConfigurationError);
    assert.equal((error as ConfigurationError).faults, [
      "PORT must be a whole number from 1 to 65535",
      "URL must be an http or https URL",
      "LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent",
      "OWN_DATABASE or DATABASE must be set",
    ]);
    assert.not.match((error as Error).message, "secret");
  }
});

Environment.run();
