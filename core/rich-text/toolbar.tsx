import {
  AlignCenterOutlined, AlignLeftOutlined, AlignRightOutlined, BoldOutlined, FunctionOutlined, ItalicOutlined, PictureOutlined, RedoOutlined, TableOutlined, UnderlineOutlined, UndoOutlined, UnorderedListOutlined,
} from '@ant-design/icons'
import { useEditorState, type Editor } from '@tiptap/react'
import { Button, Dropdown, Input, Space, Tooltip } from 'antd'
import { useState, type ReactNode } from 'react'
import type { ListStyle } from './rich-doc.ts'
import { EditorModal } from './editor-modal.tsx'

interface Props {
  /** The editor that was typed into last. */
  editor: Editor | undefined
  onFormula: () => void
  onImage: (file: File) => void
  /** What only a question has: places for answers. */
  question?: { onBlank: () => void; onHole: (() => void) | undefined } | undefined
  onShortcuts?: (() => void) | undefined
}

const LISTS: readonly (readonly [ListStyle, string])[] = [['bullet', '• 圆点'], ['decimal', '1. 数字'], ['paren', '（1）括号'], ['circle', '① 圆圈'], ['letter', 'A. 字母']]

/** What the marks under the cursor are, for buttons that are on. */
function useActive(editor: Editor | undefined): ReadonlySet<string> {
  return useEditorState({
    editor: editor ?? null,
    selector: ({ editor: current }) => new Set(current ? ['bold', 'italic', 'underline', 'dot', 'wave', 'subscript', 'superscript', 'ruby', 'table'].filter((name) => current.isActive(name)) : []),
    equalityFn: (a, b) => a?.size === b?.size && [...(a ?? [])].every((name) => b?.has(name)),
  }) ?? new Set()
}

/** Marks and things to put into the text that has the cursor; every button has a key as well. */
export function Toolbar({ editor, onFormula, onImage, question, onShortcuts }: Props) {
  const active = useActive(editor)
  const [sound, setSound] = useState<string>()
  const off = !editor || editor.isDestroyed
  const chain = () => editor?.chain().focus()
  const button = (key: string, title: string, content: ReactNode, run: () => void, on = false) => (
    <Tooltip key={key} title={title} mouseEnterDelay={0.6}>
      <Button size="small" type={on ? 'primary' : 'text'} disabled={off} aria-pressed={on} aria-label={title} onMouseDown={(event) => event.preventDefault()} onClick={run}>{content}</Button>
    </Tooltip>
  )
  const mark = (name: string, title: string, content: ReactNode) => button(name, title, content, () => chain()?.toggleMark(name).run(), active.has(name))
  const align = (value: 'left' | 'center' | 'right', title: string, content: ReactNode) => button(value, title, content, () => chain()?.updateAttributes('paragraph', { align: value === 'left' ? null : value }).updateAttributes('imageBlock', { align: value }).run())
  const table = (
    <Dropdown key="table" disabled={off} menu={{
      items: active.has('table')
        ? [['addColumnAfter', '右侧加列'], ['addRowAfter', '下方加行'], ['deleteColumn', '删除列'], ['deleteRow', '删除行'], ['mergeOrSplit', '合并或拆分单元格'], ['toggleHeaderRow', '表头行'], ['deleteTable', '删除表格']].map(([key, label]) => ({ key: key ?? '', label }))
        : [[2, 2], [3, 3], [2, 4], [4, 5]].map(([rows, cols]) => ({ key: `${rows}x${cols}`, label: `${rows} 行 ${cols} 列` })),
      onClick: ({ key }) => {
        const [rows, cols] = key.split('x').map(Number)
        if (rows && cols) chain()?.insertTable({ rows, cols, withHeaderRow: true }).run()
        else (chain() as Record<string, () => { run: () => void }> | undefined)?.[key]?.().run()
      },
    }} trigger={['click']}><Button size="small" type={active.has('table') ? 'primary' : 'text'} disabled={off} icon={<TableOutlined />} aria-label="表格" /></Dropdown>
  )
  const more = (
    <Dropdown key="more" disabled={off} trigger={['click']} menu={{
      items: [
        { key: 'poem', label: '诗歌（居中分行）' }, { key: 'dialogue', label: '对话' }, ...(question ? [{ key: 'lines', label: '横线答题区' }, { key: 'grid', label: '作文格' }] : []), { key: 'mathBlock', label: '独立成行的公式' },
        { key: 'indent', label: '首行缩进 2 字' }, { key: 'clear', label: '清除格式' },
      ],
      onClick: ({ key }) => {
        const acts: Readonly<Record<string, () => void>> = {
          poem: () => chain()?.insertContent({ type: 'poem', content: [{ type: 'poemLine' }] }).run(),
          dialogue: () => chain()?.insertContent({ type: 'dialogue', content: [{ type: 'dialogueTurn', attrs: { who: 'A' } }, { type: 'dialogueTurn', attrs: { who: 'B' } }] }).run(),
          lines: () => chain()?.insertContent({ type: 'writingLines', attrs: { n: 6 } }).run(),
          grid: () => chain()?.insertContent({ type: 'writingLines', attrs: { n: 10, style: 'grid' } }).run(),
          mathBlock: onFormula,
          indent: () => chain()?.updateAttributes('paragraph', { indent: editor?.getAttributes('paragraph')['indent'] ? null : 2 }).run(),
          clear: () => chain()?.unsetAllMarks().run(),
        }
        acts[key]?.()
      },
    }}><Button size="small" type="text" disabled={off}>更多</Button></Dropdown>
  )
  const giveSound = () => {
    const text = sound?.trim() ?? ''
    setSound(undefined)
    if (text) editor?.chain().setMark('ruby', { text }).run()
    else editor?.chain().unsetMark('ruby').run()
  }
  return (
    <div className="rich-toolbar" role="toolbar" aria-label="编辑工具">
      <Space size={0} wrap>
        {button('formula', '公式（Ctrl+M）', <FunctionOutlined />, onFormula)}
        {question && button('blank', '填空（Ctrl+K）', <span className="rich-glyph">___</span>, question.onBlank)}
        {question && button('paren', '选择括号（Ctrl+J）', '（ ）', () => chain()?.insertContent({ type: 'choiceParen' }).run())}
        {question?.onHole && button('hole', '设空（Ctrl+H）', <span className="rich-glyph-hole">1</span>, question.onHole)}
        {button('image', '图片，也可以粘贴或拖入', <PictureOutlined />, () => {
          const input = Object.assign(document.createElement('input'), { type: 'file', accept: 'image/png,image/jpeg,image/webp,image/svg+xml', onchange: () => { if (input.files?.[0]) onImage(input.files[0]) } })
          input.click()
        })}
        {table}
        <i className="rich-gap" />
        {mark('bold', '加粗（Ctrl+B）', <BoldOutlined />)}
        {mark('italic', '斜体（Ctrl+I）', <ItalicOutlined />)}
        {mark('underline', '下划线（Ctrl+U）', <UnderlineOutlined />)}
        {mark('dot', '着重号（Ctrl+.）', <span className="rich-glyph-dot">点</span>)}
        {mark('wave', '波浪线', <span className="rich-glyph-wave">波</span>)}
        {mark('subscript', '下标（Ctrl+=）', <>x<sub>2</sub></>)}
        {mark('superscript', '上标（Ctrl+Shift+=）', <>x<sup>2</sup></>)}
        {button('ruby', '拼音', <span>拼</span>, () => setSound(String(editor?.getAttributes('ruby')['text'] ?? '')), active.has('ruby'))}
        <i className="rich-gap" />
        {align('left', '左对齐', <AlignLeftOutlined />)}
        {align('center', '居中', <AlignCenterOutlined />)}
        {align('right', '右对齐', <AlignRightOutlined />)}
        <Dropdown disabled={off} trigger={['click']} menu={{ items: LISTS.map(([key, label]) => ({ key, label })), onClick: ({ key }) => chain()?.wrapIn('richList', { style: key }).run() }}>
          <Button size="small" type="text" disabled={off} icon={<UnorderedListOutlined />} aria-label="列表" />
        </Dropdown>
        {more}
        <i className="rich-gap" />
        {button('undo', '撤销（Ctrl+Z）', <UndoOutlined />, () => chain()?.undo().run())}
        {button('redo', '重做（Ctrl+Shift+Z）', <RedoOutlined />, () => chain()?.redo().run())}
      </Space>
      {onShortcuts && <Button size="small" type="link" onClick={onShortcuts}>快捷键</Button>}
      {sound !== undefined && (
        <EditorModal editor={editor} open title="拼音" okText="确定" onOk={giveSound} onCancel={() => setSound(undefined)}>
          <p className="note">先选中文字，拼音显示在文字上方；留空则去掉。</p>
          <Input aria-label="拼音" value={sound} maxLength={60} onChange={(event) => setSound(event.target.value)} onPressEnter={giveSound} />
        </EditorModal>
      )}
    </div>
  )
}
