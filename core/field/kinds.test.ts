import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** A comparison of a field's kind: what a kind can stands with the kind (`Abilities` in field.ts). */
const COMPARED = /(?:\b(?:field|one|by|above|states|known|parent|fields\[[^\]]*\])|\)\[key\])\??\)?\.kind\b\)?(?: \?\? '[^']*'\))? *(?:===|!==)|\.(?:has|includes)\([^()]*\bfield\w*(?:\[[^\]]*\])?\??\.kind/

/** Comparisons of one text. */
const comparisons = (text: string) => text.split('\n').filter((line) => COMPARED.test(line))

test('a comparison of kinds is recognised', () => {
  for (const line of ["if (field.kind === 'mobile') x", "resource.fields[key]?.kind !== 'json'", "(by.fields as Fields)[key]?.kind === 'json'", "HIDDEN.has(field.kind)", "['a'].includes(one.fields[key]?.kind ?? '')"]) expect(comparisons(line), line).toHaveLength(1)
  for (const line of ["db.kind === 'embedded'", 'views[field.kind]', "checked.kind !== 'import'"]) expect(comparisons(line), line).toEqual([])
})

test('nothing outside of the kinds asks which kind a field is', async () => {
  const found: string[] = []
  let looked = 0
  for await (const path of glob('core/**/*.{ts,tsx}')) {
    if (path.startsWith('core/field/') || path.endsWith('.test.ts')) continue
    looked++
    for (const line of comparisons(await readFile(path, 'utf8'))) found.push(`${path}: ${line.trim()}`)
  }
  expect(looked).toBeGreaterThan(200)
  expect(found).toEqual([])
})
