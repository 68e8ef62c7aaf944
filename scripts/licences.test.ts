import { expect, test } from 'vitest'
import { licenceProblems, type Component } from './licences.ts'

const under = (licence: string): Component => ({ name: 'some-package', version: '1.2.3', licenses: [licence.includes(' ') ? { expression: licence } : { license: { id: licence } }] })

test.each(['MIT', 'Apache-2.0', '(MIT OR GPL-3.0-only)', 'GPL-3.0-only OR MIT', '(MIT AND Zlib)', 'GPL-3.0-only AND MIT OR ISC', '(GPL-2.0-only OR (MIT AND ISC)) AND 0BSD'])('%s is agreed to', (licence) => {
  expect(licenceProblems([under(licence)], [])).toEqual([])
})

test.each(['GPL-3.0-only', 'AGPL-3.0-or-later', 'SSPL-1.0', 'MIT AND GPL-3.0-only', '(MIT OR ISC) AND GPL-3.0-only', 'UNLICENSED', 'SEE LICENSE IN LICENSE.md', 'MIT AND', ''])('%s is not, and the sentence names package and licence', (licence) => {
  expect(licenceProblems([under(licence)], [])).toEqual([`some-package 1.2.3 comes under ${licence}: take another package, or agree to it in scripts/licences.ts with the reason`])
})

test('a package that names no licence is not agreed to', () => {
  for (const component of [{ name: 'x', version: '1' }, { name: 'x', version: '1', licenses: [] }]) {
    expect(licenceProblems([component], [])).toEqual(['x 1 comes under no licence that it names: take another package, or agree to it in scripts/licences.ts with the reason'])
  }
})

test('an exception is for one package under one licence, and goes when nobody needs it', () => {
  const exceptions = [{ name: /^some-package$/, licence: 'MPL-2.0', reason: 'builds only' }]
  expect(licenceProblems([under('MPL-2.0')], exceptions)).toEqual([])
  expect(licenceProblems([under('Apache-2.0 AND MPL-2.0')], exceptions)).toEqual([])
  expect(licenceProblems([under('MPL-2.0'), under('GPL-3.0-only')], exceptions)).toHaveLength(1)
  expect(licenceProblems([{ ...under('MPL-2.0'), name: 'some-package-2' }], exceptions)).toHaveLength(2)
  expect(licenceProblems([under('MIT')], exceptions)).toEqual(['no package ^some-package$ comes under MPL-2.0 any more: take the exception out of scripts/licences.ts'])
})
