/** Apache Kafka from Maven Central, stored in the user's cache. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * The newest release of each line that is complete on Maven Central (of 4.4.0 an artifact is missing). kafkajs does
 * not support the protocol versions of Kafka 4 (KIP-896).
 */
export const KAFKA_VERSIONS = { '3': '3.9.2', '4': '4.3.1' } as const

/** A line of Kafka that tests run against. */
export type KafkaLine = keyof typeof KAFKA_VERSIONS

const run = promisify(execFile)

/** Folder of the jars of a line. */
export const kafkaFolder = (line: KafkaLine): string =>
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'assay', `kafka-${KAFKA_VERSIONS[line]}`)

const pom = (version: string) => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>assay</groupId><artifactId>kafka</artifactId><version>1</version>
  <dependencies><dependency>
    <groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${version}</version>
  </dependency></dependencies>
</project>`

/**
 * Fetches Kafka and its dependencies from Maven Central, once: later calls find it in the cache. Concurrent calls each
 * fetch into their own folder, and the first one finished is renamed into place.
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
