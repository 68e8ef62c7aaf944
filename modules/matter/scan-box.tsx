import { Input } from 'antd'
import { useRef, useState } from 'react'
import { call } from '../../core/endpoint/call.tsx'
import { Picker } from '../../core/field/reference.tsx'
import { findScanned, MOST_LINES, type Scanned } from './calls.ts'
import { matter } from './matter.ts'

/** Something that was scanned, typed or pasted, and how many of it. */
export interface Found { item: Scanned; qty: number }

/** Codes of pasted lines with the number behind each; one without a number is one piece. */
export function readCodes(text: string): { code: string; qty: number }[] {
  return text.split(/[\r\n]+/).flatMap((line) => {
    const [code, qty] = line.trim().split(/[\t ,，;；]+/)
    return code ? [{ code, qty: qty && /^\d{1,7}$/.test(qty) ? Math.max(1, Number(qty)) : 1 }] : []
  })
}

/**
 * Where matters are scanned: a scanner types a code and Enter. A column of codes with numbers can be pasted, and who has no
 * scanner picks by name.
 */
export function ScanBox({ onFound, disabled = false }: { onFound: (found: readonly Found[]) => void; disabled?: boolean }) {
  const [words, setWords] = useState('')
  const [problem, setProblem] = useState<string>()
  // One after the other: a scanner is faster than an answer.
  const queue = useRef(Promise.resolve())
  const look = (text: string) => {
    const codes = readCodes(text).slice(0, MOST_LINES)
    if (codes.length === 0) return
    setWords('')
    queue.current = queue.current.then(async () => {
      const { items } = await call(findScanned, { codes: codes.map(({ code }) => code) }, { quiet: true })
      const found = codes.map(({ code, qty }) => ({ code, qty, item: items.find(({ sku, barcode, isbn }) => [sku, barcode, isbn].some((own) => own?.toLowerCase() === code.toLowerCase())) }))
      const missing = found.filter(({ item }) => !item).map(({ code }) => code)
      setProblem(missing.length > 0 ? `没有编码、条码或书号是「${missing.slice(0, 5).join('、')}」${missing.length > 5 ? ` 等 ${missing.length} 个` : ''}的物料` : undefined)
      onFound(found.flatMap(({ item, qty }) => (item ? [{ item, qty }] : [])))
    }).catch((error: unknown) => setProblem(error instanceof Error ? error.message : '查找失败'))
  }
  const pick = (id: number | null) => {
    if (id !== null) void call(findScanned, { id }, { quiet: true }).then(({ items: [item] }) => item && onFound([{ item, qty: 1 }]), () => undefined)
  }
  return (
    <div className="scan-box">
      <Input aria-label="扫码或输入编码" placeholder="扫码，或输入编码、条码、书号后回车；可粘贴两列：编码 数量" disabled={disabled} value={words} onChange={(event) => setWords(event.target.value)}
        onPressEnter={(event) => { event.preventDefault(); look(words) }} onPaste={(event) => { const text = event.clipboardData.getData('text'); if (/[\r\n\t]/.test(text)) { event.preventDefault(); look(text) } }} />
      <Picker target={matter} label="物料" id={undefined} placeholder="按名称选择物料" disabled={disabled} value={undefined} onChange={pick} />
      {problem && <p className="scan-problem" role="alert">{problem}</p>}
    </div>
  )
}
