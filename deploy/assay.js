#!/usr/bin/env node
// The executable. Node 22.18 and newer run the TypeScript sources by themselves; older ones run them through tsx.
if (!process.features.typescript) {
  const { register } = await import('tsx/esm/api')
  register()
}
await import('./cli.ts')
