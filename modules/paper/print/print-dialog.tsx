import { FileWordOutlined, PrinterOutlined } from '@ant-design/icons'
import { Alert, App, Button, Form, Input, InputNumber, Modal, Segmented, Space, Switch } from 'antd'
import { useMemo, useState, type MouseEvent } from 'react'
import { fillPath } from '../../../core/endpoint/define.ts'
import { CardPreview, usePrintCard } from '../card/card-preview.tsx'
import { CARD_SHEETS } from '../card/geometry.ts'
import { NUMBER_LENGTH, type CardOptions } from '../card/layout.ts'
import { paperWord } from './calls.ts'
import { EDITIONS, MAX_WATERMARK, SHEETS, type PrintOptions } from './edition.ts'
import { printBlocks } from './print-blocks.tsx'
import { PrintPages } from './print-pages.tsx'
import type { PracticeCard } from '../../practice/module.ts'
import type { PaperContent } from '../calls.ts'
import { totalScore, type PaperBody } from '../compose/body.ts'
import { misfits } from '../compose/kinds.ts'

/** Editions that show the questions themselves. */
const QUESTIONS: ReadonlySet<PrintOptions['edition']> = new Set(['student', 'teacher'])

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
  const [card, setCard] = useState<CardOptions>({ sheet: 'a4', person: 'number', digits: NUMBER_LENGTH.usual })
  const printing = usePrintCard(content.id)
  const isCard = options.edition === 'sheet'
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
  const print = () => (isCard ? printing.mutate(card) : window.setTimeout(() => window.print()))
  const address = wordAddress(content.id, isCard ? { ...options, sheet: card.sheet === 'a4' ? 'a4' : 'a3' } : options)
  const download = (event: MouseEvent) => {
    if (wrong.length === 0) return
    event.preventDefault()
    anyway(() => Object.assign(document.createElement('a'), { href: address, download: '' }).click())
  }
  /** What was kept was another card. */
  const choose = (part: Partial<CardOptions>) => {
    printing.reset()
    setCard({ ...card, ...part })
  }
  const set = (part: Partial<PrintOptions>) => setOptions({ ...options, ...part })
  return (
    <Modal open title="打印" width="96vw" centered className="print-dialog" onCancel={onClose} footer={(
      <Space wrap>
        <Button onClick={onClose}>关闭</Button>
        <Button icon={<FileWordOutlined />} href={address} download onClick={download}>下载 Word</Button>
        <Button type="primary" icon={<PrinterOutlined />} loading={printing.isPending} onClick={() => (wrong.length === 0 ? print() : anyway(print))}>打印或存为 PDF</Button>
      </Space>
    )}>
      <Form layout="inline" className="print-options">
        <Form.Item label="内容"><Segmented options={[...EDITIONS]} value={options.edition} onChange={(edition) => set({ edition })} /></Form.Item>
        {isCard && (
          <>
            <Form.Item label="纸张"><Segmented options={CARD_SHEETS.map(({ value, label }) => ({ value, label }))} value={card.sheet} onChange={(value) => choose({ sheet: value })} /></Form.Item>
            <Form.Item label="考生识别"><Segmented options={[{ value: 'number' as const, label: '填涂考号' }, { value: 'barcode' as const, label: '贴条形码' }]} value={card.person} onChange={(person) => choose({ person })} /></Form.Item>
            {card.person === 'number' && <Form.Item label="考号"><InputNumber min={NUMBER_LENGTH.least} max={NUMBER_LENGTH.most} precision={0} value={card.digits} suffix="位" aria-label="考号位数" onChange={(digits) => choose({ digits: digits ?? NUMBER_LENGTH.usual })} /></Form.Item>}
          </>
        )}
        {!isCard && <Form.Item label="纸张"><Segmented options={SHEETS.map(({ value, label }) => ({ value, label }))} value={options.sheet} onChange={(value) => set({ sheet: value })} /></Form.Item>}
        {options.edition === 'student' && <Form.Item label="密封线"><Switch checked={options.seal} onChange={(seal) => set({ seal })} aria-label="密封线" /></Form.Item>}
        {options.edition === 'student' && <Form.Item label="解答题留白"><InputNumber min={0} max={40} value={options.blankLines} suffix="行" aria-label="解答题留白" onChange={(blankLines) => set({ blankLines: blankLines ?? 0 })} /></Form.Item>}
        {QUESTIONS.has(options.edition) && [...cards.values()].some(({ video }) => video) && <Form.Item label="讲解二维码"><Switch checked={options.codes} onChange={(codes) => set({ codes })} aria-label="讲解二维码" /></Form.Item>}
        {!isCard && <Form.Item label="水印"><Input className="print-words" maxLength={MAX_WATERMARK} allowClear placeholder="如学校名称" value={options.watermark} aria-label="水印" onChange={({ target }) => set({ watermark: target.value })} /></Form.Item>}
      </Form>
      {wrong.length > 0 && <Alert type="warning" showIcon title={`大题标题与题型不符：${wrong.join('；')}`} />}
      {isCard
        ? <CardPreview name={content.name} body={body} cards={cards} options={card} printed={printing.data} />
        : <PrintPages blocks={blocks} sheet={sheet} seal={options.seal && options.edition === 'student'} title={content.name} watermark={options.watermark.trim()} />}
    </Modal>
  )
}
