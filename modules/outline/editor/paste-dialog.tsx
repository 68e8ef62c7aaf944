import { Alert, Input, Modal } from 'antd'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { useMemo, useRef, useState } from 'react'
import { kindLabel, readPasted, type PastedNode } from '../paste.ts'
import { countWords } from './branch.ts'

interface Props {
  initial: string
  /** Name of what they come below; undefined at the top. */
  below: string | undefined
  depth: number
  onAdd: (nodes: readonly PastedNode[]) => void
  onClose: () => void
}

/** Adds indented lines or columns of a sheet. Nothing is written before what was understood has been seen. */
export function PasteDialog({ initial, below, depth, onAdd, onClose }: Props) {
  const box = useRef<TextAreaRef>(null)
  const [text, setText] = useState(initial)
  const { nodes, problems } = useMemo(() => readPasted(text, depth), [text, depth])
  return (
    <Modal open width={880} afterOpenChange={(shown) => shown && box.current?.focus()} title={`粘贴目录${below === undefined ? '' : `到「${below}」下`}`} onCancel={onClose} onOk={() => onAdd(nodes)} okText={nodes.length > 0 ? `添加 ${countWords(nodes)}` : '添加'} okButtonProps={{ disabled: nodes.length === 0 || problems.length > 0 }}>
      <div className="outline-paste">
        <Input.TextArea ref={box} aria-label="目录文字" value={text} onChange={(event) => setText(event.target.value)} rows={16} placeholder={'第一章 集合与常用逻辑用语\n\t1.1 集合的概念\n\t\t课时 1 集合与元素\n\t\t课时 2 集合的表示'}
          onKeyDown={(event) => {
            if (event.key !== 'Tab' || event.shiftKey || text === '') return
            // Text that is being written is indented by the key, as in any editor of text.
            event.preventDefault()
            const { selectionStart, selectionEnd } = event.currentTarget
            event.currentTarget.setRangeText('\t', selectionStart, selectionEnd, 'end')
            setText(event.currentTarget.value)
          }} />
        <div aria-live="polite">
          {problems.length > 0 && <Alert type="error" showIcon title={`${problems.length} 行要先改`} description={<ul className="outline-problems">{problems.slice(0, 20).map(({ line, message }) => <li key={line}>第 {line} 行：{message}</li>)}</ul>} />}
          {nodes.length === 0 && problems.length === 0 && <p className="outline-hint">一行一项，用缩进表示层级；也可以从 Excel 复制一列或几列。没有缩进时按「第一章」「1.1」「课时 1」识别层级。</p>}
          <ol className="outline-preview">{nodes.slice(0, 300).map(({ line, name, depth: level, kind }) => <li key={line} style={{ paddingInlineStart: level * 18 }}><small>{kindLabel(kind)}</small>{name}</li>)}</ol>
          {nodes.length > 300 && <p className="outline-hint">还有 {nodes.length - 300} 行</p>}
        </div>
      </div>
    </Modal>
  )
}
