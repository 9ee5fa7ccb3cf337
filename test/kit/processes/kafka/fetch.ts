/** Apache Kafka from Maven Central, kept in the user's cache. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * The newest release of each line that Maven Central has with all it needs (of 4.4.0 an artifact is missing). kafkajs
 * does not speak the protocol versions that Kafka 4 still has (KIP-896).
 */
export const KAFKA_VERSIONS = { '3': '3.9.2', '4': '4.3.1' } as const

/** A line of Kafka that tests run against. */
export type KafkaLine = keyof typeof KAFKA_VERSIONS

const run = promisify(execFile)

/** Where the jars of a line are kept. */
export const kafkaFolder = (line: KafkaLine): string =>
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'assay', `kafka-${KAFKA_VERSIONS[line]}`)

const pom = (version: string) => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>assay</groupId><artifactId>kafka</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${version}</version>
  </dependency></dependencies>
</project>`

/**
 * Fetches Kafka and what it needs from Maven Central, once: later calls find it in the cache. Concurrent calls each
 * fetch into a folder of their own, and the first one finished gives it its name.
 */
export const fetchKafka = async (line: KafkaLine): Promise<string> => {
  const cache = kafkaFolder(line)
  if (existsSync(cache)) return cache
  await mkdir(join(cache, '..'), { recursive: true })
  const folder = await mkdtemp(`${cache}-`)
  try {
    await writeFile(join(folder, 'pom.xml'), pom(KAFKA_VERSIONS[line]))
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`]
    await run('mvn', ['-B', '-q', '-f', join(folder, 'pom.xml'), ...goal], { timeout: 300_000 })
    await rename(folder, cache).catch((error: unknown) => {
      if (!existsSync(cache)) throw error
    })
    return cache
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
