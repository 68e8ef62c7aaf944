import { FileWordOutlined, PrinterOutlined } from '@ant-design/icons'
import { Alert, App, Button, Form, Input, InputNumber, Modal, Segmented, Space, Switch } from 'antd'
import { useLayoutEffect, useMemo, useRef, useState, type MouseEvent } from 'react'
import { createPortal } from 'react-dom'
import { fillPath } from '../../../core/endpoint/define.ts'
import { paperWord } from './calls.ts'
import { EDITIONS, MAX_WATERMARK, SHEETS, watermarkSize, type PrintOptions, type Sheet } from './edition.ts'
import { paginate } from './pages.ts'
import { printBlocks, type PrintBlock } from './print-blocks.tsx'
import type { PracticeCard } from '../../practice/module.ts'
import type { PaperContent } from '../calls.ts'
import { totalScore, type PaperBody } from '../compose/body.ts'
import { misfits } from '../compose/kinds.ts'
import './print.css'

/** Editions that show the questions themselves. */
const QUESTIONS: ReadonlySet<PrintOptions['edition']> = new Set(['student', 'teacher'])
/** CSS pixels of a millimetre. */
const MM = 96 / 25.4

/** Where the paper comes as a Word document. */
const wordAddress = (id: number, { edition, sheet, seal, blankLines, codes, watermark }: PrintOptions) =>
  `${fillPath(paperWord.path, { id })}?${new URLSearchParams({ edition, sheet, seal: seal ? '1' : '0', blank_lines: String(blankLines), codes: codes ? '1' : '0', ...(watermark.trim() && { watermark: watermark.trim() }) }).toString()}`

interface Props {
  content: PaperContent
  body: PaperBody
  cards: ReadonlyMap<number, PracticeCard>
  onClose: () => void
}

/** The paper as it comes out of the printer, page by page, with what can be chosen about it. */
export function PrintDialog({ content, body, cards, onClose }: Props) {
  const [options, setOptions] = useState<PrintOptions>({ edition: 'student', sheet: 'a4', seal: true, blankLines: 4, codes: false, watermark: '' })
  const sheet = SHEETS.find(({ value }) => value === options.sheet) ?? SHEETS[0]
  const blocks = useMemo(
    () => printBlocks({ name: content.name, duration: content.duration, total: totalScore(body) }, body, cards, options),
    [content.name, content.duration, body, cards, options],
  )
  const { modal } = App.useApp()
  const wrong = useMemo(() => misfits(body, cards).map(({ text }) => text), [body, cards])
  const list = <ul className="reasons">{wrong.map((text) => <li key={text}>{text}</li>)}</ul>
  /** A heading that is not true of its questions is said before it is on paper. */
  const anyway = (go: () => void) => modal.confirm({ title: '大题标题与题型不符', content: list, okText: '仍然继续', cancelText: '返回修改', onOk: go, onCancel: onClose })
  const print = () => window.setTimeout(() => window.print())
  const address = wordAddress(content.id, options)
  const download = (event: MouseEvent) => {
    if (wrong.length === 0) return
    event.preventDefault()
    anyway(() => Object.assign(document.createElement('a'), { href: address, download: '' }).click())
  }
  const set = (part: Partial<PrintOptions>) => setOptions({ ...options, ...part })
  return (
    <Modal open title="打印" width="96vw" centered className="print-dialog" onCancel={onClose} footer={(
      <Space wrap>
        <Button onClick={onClose}>关闭</Button>
        <Button icon={<FileWordOutlined />} href={address} download onClick={download}>下载 Word</Button>
        <Button type="primary" icon={<PrinterOutlined />} onClick={() => (wrong.length === 0 ? print() : anyway(print))}>打印或存为 PDF</Button>
      </Space>
    )}>
      <Form layout="inline" className="print-options">
        <Form.Item label="内容"><Segmented options={[...EDITIONS]} value={options.edition} onChange={(edition) => set({ edition })} /></Form.Item>
        <Form.Item label="纸张"><Segmented options={SHEETS.map(({ value, label }) => ({ value, label }))} value={options.sheet} onChange={(value) => set({ sheet: value })} /></Form.Item>
        {(options.edition === 'student' || options.edition === 'sheet') && <Form.Item label="密封线"><Switch checked={options.seal} onChange={(seal) => set({ seal })} aria-label="密封线" /></Form.Item>}
        {options.edition === 'student' && <Form.Item label="解答题留白"><InputNumber min={0} max={40} value={options.blankLines} suffix="行" aria-label="解答题留白" onChange={(blankLines) => set({ blankLines: blankLines ?? 0 })} /></Form.Item>}
        {QUESTIONS.has(options.edition) && [...cards.values()].some(({ video }) => video) && <Form.Item label="讲解二维码"><Switch checked={options.codes} onChange={(codes) => set({ codes })} aria-label="讲解二维码" /></Form.Item>}
        <Form.Item label="水印"><Input className="print-words" maxLength={MAX_WATERMARK} allowClear placeholder="如学校名称" value={options.watermark} aria-label="水印" onChange={({ target }) => set({ watermark: target.value })} /></Form.Item>
      </Form>
      {wrong.length > 0 && <Alert type="warning" showIcon title={`大题标题与题型不符：${wrong.join('；')}`} />}
      <PrintPages blocks={blocks} sheet={sheet} seal={options.seal && (options.edition === 'student' || options.edition === 'sheet')} title={content.name} watermark={options.watermark.trim()} />
    </Modal>
  )
}

/** Measures the blocks in a column of the real width, and lays them out on pages; formulas that arrive later are measured again. */
function PrintPages({ blocks, sheet, seal, title, watermark }: { blocks: readonly PrintBlock[]; sheet: Sheet; seal: boolean; title: string; watermark: string }) {
  const ruler = useRef<HTMLDivElement>(null)
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map())
  const left = sheet.margin + (seal ? sheet.seal : 0)
  /** Between the sealing line and the text. */
  const air = 4
  const columnWidth = (sheet.width - left - sheet.margin - sheet.gap * (sheet.columns - 1)) / sheet.columns
  useLayoutEffect(() => {
    const column = ruler.current
    if (!column) return
    const measure = () => setHeights(new Map([...column.children].map((child) => [child.getAttribute('data-key') ?? '', child.getBoundingClientRect().height])))
    measure()
    const watcher = new ResizeObserver(measure)
    for (const child of column.children) watcher.observe(child)
    return () => watcher.disconnect()
  }, [blocks, columnWidth])
  // A line of page number stands in the bottom margin.
  const pages = paginate(
    blocks.map(({ key, keepWithNext }) => ({ key, height: heights.get(key) ?? 0, ...(keepWithNext && { keepWithNext }) })),
    sheet.columns, () => (sheet.height - sheet.margin * 2) * MM,
  )
  const byKey = new Map(blocks.map((block) => [block.key, block]))
  const drawn = (
    <div className={`print-pages print-${sheet.value}`}>
      {pages.map((page, index) => (
        <div key={index} className="print-page" style={{ width: `${sheet.width}mm`, height: `${sheet.height}mm`, padding: `${sheet.margin}mm ${sheet.margin}mm ${sheet.margin}mm ${left}mm` }}>
          {seal && index === 0 && <div className="print-seal" style={{ width: `${left - air}mm` }}><span>学校＿＿＿＿＿＿＿　班级＿＿＿＿＿＿　姓名＿＿＿＿＿＿　考号＿＿＿＿＿＿＿＿</span><span>密　　封　　线　　内　　不　　要　　答　　题</span></div>}
          {watermark && <div className="print-watermark" aria-hidden style={{ fontSize: `${watermarkSize(watermark)}pt` }}>{watermark}</div>}
          <div className="print-columns" style={{ gap: `${sheet.gap}mm` }}>
            {page.map((column, at) => (
              <div key={at} style={{ width: `${columnWidth}mm` }}>{column.map((key) => <div key={key} className="print-block">{byKey.get(key)?.content}</div>)}</div>
            ))}
          </div>
          <footer style={{ height: `${sheet.margin}mm` }}>{title}　第 {index + 1} 页（共 {pages.length} 页）</footer>
        </div>
      ))}
    </div>
  )
  return (
    <>
      <div ref={ruler} className="print-ruler" aria-hidden inert style={{ width: `${columnWidth}mm` }}>
        {blocks.map(({ key, content }) => <div key={key} data-key={key} className="print-block">{content}</div>)}
      </div>
      {/* Scrolls, so the keyboard has to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="print-preview" tabIndex={0} role="region" aria-label={`打印预览，共 ${pages.length} 页`}>{drawn}</div>
      {createPortal(<div className="print-only" aria-hidden>{drawn}</div>, document.body)}
    </>
  )
}
