import { withAssets } from '../../../core/rich-text/rich-doc.ts'
import { uploadImage } from '../../../core/rich-text/upload-image.tsx'
import type { Pasted } from '../../../core/rich-text/rich-editor.tsx'
import { cleanClipboard } from '../formats/clipboard.ts'
import { htmlFlow } from '../formats/html.ts'
import type { Asset, Warning } from '../formats/item.ts'
import { flowDoc } from '../formats/text/flow.ts'

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
