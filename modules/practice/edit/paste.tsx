import { request } from '../../../core/endpoint/call.tsx'
import { textOf, withAssets, type RichDoc } from '../content/rich-doc.ts'
import { splitMath } from '../content/tex.ts'
import { cleanClipboard } from '../formats/clipboard.ts'
import { htmlFlow } from '../formats/html.ts'
import type { Asset, Warning } from '../formats/item.ts'
import { flowDoc } from '../formats/text/flow.ts'

/** Stores a picture and gives its address. */
export async function uploadImage(file: Blob, name: string): Promise<string> {
  const body = new FormData()
  body.append('file', file, name)
  return (await request<{ url: string }>('POST', '/daoyuan/api/end/files?kind=image', body)).url
}

/** What was pasted, as rich text with stored pictures, and what did not come along. */
export interface Pasted {
  doc: RichDoc | null
  warnings: string[]
}

/**
 * Reads what was copied from Word or a page: formulas, tables, marks and pictures survive, everything else is dropped.
 * @param files pictures that the clipboard brought beside the markup, in order
 */
export async function readPasted(html: string, files: readonly File[]): Promise<Pasted> {
  const warnings: Warning[] = []
  const assets = new Map<string, Asset>()
  // Pictures of Word point into its own temporary folder; the clipboard brings them as files in the same order.
  const local = [...html.matchAll(/<img[^>]+src="(file:[^"]+)"/gi)].map((match) => match[1] ?? '')
  const given = new Map<string, Asset>()
  for (const [index, address] of local.entries()) {
    const file = files[index]
    const name = address.replace(/[?#].*$/, '')
    if (file) given.set(name, { name, bytes: new Uint8Array(await file.arrayBuffer()), type: file.type })
  }
  const doc = flowDoc(htmlFlow(cleanClipboard(html), { warnings, assets, files: given }))
  const stored = new Map<string, string>()
  for (const asset of assets.values()) {
    try {
      stored.set(`asset:${asset.name}`, await uploadImage(new Blob([asset.bytes.slice()], { type: asset.type }), asset.name.split(/[\\/]/).at(-1) ?? 'image.png'))
    } catch {
      warnings.push({ level: 'hint', message: '有一张图片没有上传成功' })
    }
  }
  return { doc: withAssets(doc, (asset) => stored.get(asset) ?? asset), warnings: [...new Set(warnings.map(({ message }) => message))] }
}

/** Plain text with $formulas$ in it; undefined when there is none, and the editor's own pasting is right. */
export function readPlain(text: string): RichDoc | undefined {
  if (!/\$[^$\n]+\$|\\\(|\\\[/.test(text)) return undefined
  const blocks = text.split(/\r?\n/).map((line) => ({ t: 'p' as const, c: splitMath(line).pieces.map((piece) => ('tex' in piece ? { t: 'tex' as const, tex: piece.tex } : textOf(piece.text))) }))
  return { t: 'doc', v: 1, c: blocks }
}
