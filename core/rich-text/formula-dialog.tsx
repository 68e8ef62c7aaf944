import type { Editor } from '@tiptap/react'
import { App, Button, Input, Segmented, Skeleton, Switch } from 'antd'
import { lazy, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react'
import { Formula } from './formula.tsx'
import { EditorModal } from './editor-modal.tsx'

const MathInput = lazy(() => import('./math-input.tsx').then((file) => ({ default: file.MathInput })))

/** Symbols that a keyboard has no key for, by subject of use; the caret goes to the first empty brace. */
const PALETTE: readonly (readonly [title: string, pieces: readonly (readonly [shown: string, tex: string])[]])[] = [
  ['常用', [['\\frac{a}{b}', '\\dfrac{}{}'], ['\\sqrt{x}', '\\sqrt{}'], ['x^2', '^{}'], ['x_n', '_{}'], ['\\sqrt[n]{x}', '\\sqrt[]{}'], ['\\le', '\\le '], ['\\ge', '\\ge '], ['\\ne', '\\ne '], ['\\approx', '\\approx '], ['\\pm', '\\pm '], ['\\times', '\\times '], ['\\div', '\\div '], ['\\cdot', '\\cdot '], ['\\infty', '\\infty '], ['\\circ', '^{\\circ}']]],
  ['集合与逻辑', [['\\in', '\\in '], ['\\notin', '\\notin '], ['\\subseteq', '\\subseteq '], ['\\subsetneqq', '\\subsetneqq '], ['\\cup', '\\cup '], ['\\cap', '\\cap '], ['\\complement_U', '\\complement_{U}'], ['\\varnothing', '\\varnothing '], ['\\forall', '\\forall '], ['\\exists', '\\exists '], ['\\Rightarrow', '\\Rightarrow '], ['\\Leftrightarrow', '\\Leftrightarrow ']]],
  ['几何', [['\\angle', '\\angle '], ['\\triangle', '\\triangle '], ['\\perp', '\\perp '], ['\\parallel', '\\parallel '], ['\\odot', '\\odot '], ['\\overset{\\frown}{AB}', '\\overset{\\frown}{}'], ['\\vec a', '\\vec{}'], ['\\overrightarrow{AB}', '\\overrightarrow{}'], ['\\cong', '\\cong '], ['\\sim', '\\sim ']]],
  ['函数', [['\\sin', '\\sin '], ['\\cos', '\\cos '], ['\\tan', '\\tan '], ['\\log_a', '\\log_{}'], ['\\ln', '\\ln '], ['\\lim', '\\lim\\limits_{x\\to }'], ['\\int', '\\int_{}^{}'], ['\\sum', '\\sum\\limits_{i=1}^{n}'], ['\\pi', '\\pi '], ['\\alpha', '\\alpha '], ['\\beta', '\\beta '], ['\\theta', '\\theta '], ['\\omega', '\\omega '], ['\\Delta', '\\Delta ']]],
  ['结构', [['\\{\\}', '\\{\\}'], ['|x|', '\\left|\\right|'], ['()', '\\left(\\right)'], ['\\begin{cases}a\\\\b\\end{cases}', '\\begin{cases}\\\\\\end{cases}'], ['\\begin{vmatrix}a&b\\\\c&d\\end{vmatrix}', '\\begin{vmatrix}&\\\\&\\end{vmatrix}'], ['\\overline{x}', '\\overline{}']]],
  ['化学与物理', [['\\ce{H2O}', '\\ce{}'], ['\\ce{->}', '\\ce{->[]}'], ['\\ce{<=>}', '\\ce{<=>}'], ['\\uparrow', '\\uparrow '], ['\\downarrow', '\\downarrow '], ['\\Omega', '\\Omega '], ['\\mathrm{m/s^2}', '\\mathrm{m/s^2}'], ['\\mu', '\\mu ']]],
]

interface Props {
  editor: Editor | undefined
  tex: string
  display: boolean
  /** A formula that stands in the text already can be taken out. */
  onRemove?: (() => void) | undefined
  onClose: () => void
  onDone: (tex: string, display: boolean) => void
}

/** Types a formula: as TeX with a palette, or in a two-dimensional field that is fetched when it is wanted. */
export function FormulaDialog({ editor, tex: begun, display: begunDisplay, onRemove, onClose, onDone }: Props) {
  const { message } = App.useApp()
  const [tex, setTex] = useState(begun)
  const [display, setDisplay] = useState(begunDisplay)
  const [way, setWay] = useState<'tex' | 'visual'>('tex')
  const [busy, setBusy] = useState(false)
  const shown = useDeferredValue(tex)
  const source = useRef<{ resizableTextArea?: { textArea: HTMLTextAreaElement } }>(null)
  const area = () => source.current?.resizableTextArea?.textArea
  useEffect(() => {
    const wait = window.setTimeout(() => area()?.focus(), 50)
    return () => window.clearTimeout(wait)
  }, [way])

  const put = (piece: string) => {
    const field = area()
    const [from, to] = field ? [field.selectionStart, field.selectionEnd] : [tex.length, tex.length]
    const chosen = tex.slice(from, to)
    const hole = piece.search(/\{\}|\[\]|\|\\right|\(\\right/)
    const text = chosen && hole >= 0 ? `${piece.slice(0, hole + 1)}${chosen}${piece.slice(hole + 1)}` : piece
    setTex(tex.slice(0, from) + text + tex.slice(to))
    const caret = from + (hole >= 0 && !chosen ? hole + 1 : text.length)
    window.setTimeout(() => {
      field?.focus()
      field?.setSelectionRange(caret, caret)
    })
  }
  const finish = async () => {
    setBusy(true)
    const { readTex } = await import('./tex-compile.ts')
    const { tex: mended, error } = readTex(tex)
    setBusy(false)
    if (mended.trim() === '') return void message.warning('请填写公式')
    if (error) return void message.error(`${error.message}（第 ${error.at + 1} 个字符「${error.near}」处）`, 5)
    onDone(mended, display)
  }
  return (
    <EditorModal editor={editor} open title="公式" width={720} onCancel={onClose} confirmLoading={busy} okText="确定（Ctrl+回车）" onOk={() => void finish()}
      footer={(buttons) => <div className="formula-foot">{onRemove ? <Button danger onClick={onRemove}>删除公式</Button> : <span />}<span>{buttons}</span></div>}>
      <div className="formula">
        <div className="formula-head">
          <Segmented<'tex' | 'visual'> value={way} onChange={setWay} options={[{ value: 'tex', label: 'TeX 源码' }, { value: 'visual', label: '可视编辑' }]} />
          <span>独立成行 <Switch size="small" aria-label="独立成行" checked={display} onChange={setDisplay} /></span>
        </div>
        {way === 'tex' ? (
          <>
            <div className="formula-palette" aria-label="符号">
              {PALETTE.map(([title, pieces]) => (
                <div key={title}><span>{title}</span>{pieces.map(([label, piece]) => <button key={piece} type="button" title={piece} onMouseDown={(event) => event.preventDefault()} onClick={() => put(piece)}><Formula tex={label} /></button>)}</div>
              ))}
            </div>
            <Input.TextArea ref={source as never} aria-label="TeX 源码" value={tex} autoSize={{ minRows: 3, maxRows: 8 }} className="formula-source" maxLength={5000} onChange={(event) => setTex(event.target.value)}
              onKeyDown={(event) => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) { event.preventDefault(); void finish() } }} />
          </>
        ) : <Suspense fallback={<Skeleton active />}><MathInput tex={tex} onChange={setTex} /></Suspense>}
        <div className="formula-preview" aria-live="polite">{shown.trim() ? <Formula tex={shown} display={display} /> : <span className="none">预览</span>}</div>
      </div>
    </EditorModal>
  )
}
