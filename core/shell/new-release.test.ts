import { expect, test } from 'vitest'
import { isMissingPart, isOtherBuild, remedyFor } from './new-release.tsx'

const page = (name: string) => `<script type="module" crossorigin src="/new/assets/${name}.js"></script>`

test('134: another build is told by the script that the page names', () => {
  expect(isOtherBuild(page('index-AbC_1-2'), 'https://a/new/assets/index-AbC_1-2.js')).toBe(false)
  expect(isOtherBuild(page('index-new'), 'https://a/new/assets/index-old.js')).toBe(true)
  // An error page of a proxy or the development server says nothing.
  expect(isOtherBuild('502 Bad Gateway', 'https://a/new/assets/index-old.js')).toBe(false)
})

const missing = { server: 'other', again: false, hasUnsaved: false, remembered: null, reason: 'r1 ' } as const

test('134: a window reloads by itself once for a reason, and never over unsaved work', () => {
  expect(remedyFor(missing)).toBe('reload')
  expect(remedyFor({ ...missing, remembered: 'r0 ' })).toBe('reload')
  expect(remedyFor({ ...missing, remembered: 'r1 ' })).toBe('ask')
  expect(remedyFor({ ...missing, hasUnsaved: true })).toBe('ask')
})

test('134: a part that the server still has is tried again first; without a server nothing would come of a reload', () => {
  expect(remedyFor({ ...missing, server: 'same' })).toBe('none')
  expect(remedyFor({ ...missing, server: 'same', again: true })).toBe('reload')
  expect(remedyFor({ ...missing, server: 'away', again: true })).toBe('none')
})

test('a part is missing when it could not be fetched, not when what it does goes wrong', () => {
  for (const message of ['Failed to fetch dynamically imported module: https://a/new/assets/x.js', 'error loading dynamically imported module: https://a/x.js', 'Importing a module script failed.', 'Unable to preload CSS for /new/assets/x.css']) expect(isMissingPart(message), message).toBe(true)
  for (const message of ['signal is aborted without reason', '您没有此操作的权限', 'Failed to fetch', 'x is not a function']) expect(isMissingPart(message), message).toBe(false)
})
