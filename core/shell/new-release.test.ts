import { expect, test } from 'vitest'
import { isOtherBuild, remedyFor } from './new-release.tsx'

const page = (name: string) => `<script type="module" crossorigin src="/new/assets/${name}.js"></script>`

test('134: another build is told by the script that the page names', () => {
  expect(isOtherBuild(page('index-AbC_1-2'), 'https://a/new/assets/index-AbC_1-2.js')).toBe(false)
  expect(isOtherBuild(page('index-new'), 'https://a/new/assets/index-old.js')).toBe(true)
  // An error page of a proxy or the development server says nothing.
  expect(isOtherBuild('502 Bad Gateway', 'https://a/new/assets/index-old.js')).toBe(false)
})

test('134: a window reloads by itself once for a release, and never over unsaved work', () => {
  expect(remedyFor(null, 'r1', false)).toBe('reload')
  expect(remedyFor('r0', 'r1', false)).toBe('reload')
  expect(remedyFor('r1', 'r1', false)).toBe('ask')
  expect(remedyFor(null, 'r1', true)).toBe('ask')
})
