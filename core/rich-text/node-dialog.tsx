import type { Editor } from '@tiptap/react'
import { Input, InputNumber, Segmented, Switch } from 'antd'
import { useState } from 'react'
import { EditorModal } from './editor-modal.tsx'
import type { OpenNode } from './rich-nodes.tsx'

interface Props {
  node: Parameters<OpenNode>[0]
  editor: Editor
  onClose: () => void
}

const TITLES: Readonly<Record<string, string>> = { blank: '填空', inlineImage: '图片', imageBlock: '图片', writingLines: '答题区' }

/** Size and kind of a blank, a picture or an area to write in. */
export function NodeDialog({ node, editor, onClose }: Props) {
  const [attrs, setAttrs] = useState(node.attrs)
  const set = (part: Record<string, unknown>) => setAttrs({ ...attrs, ...part })
  const range = { from: node.pos, to: node.pos + 1 }
  const done = () => {
    editor.chain().insertContentAt(range, { type: node.type, attrs }).run()
    onClose()
  }
  const isPicture = node.type === 'inlineImage' || node.type === 'imageBlock'
  return (
    <EditorModal editor={editor} open title={TITLES[node.type] ?? '内容'} onCancel={onClose} onOk={done} okText="确定">
      <div className="rich-node">
        {node.type === 'blank' && (
          <>
            <div className="rich-node-row"><span>样式</span><Segmented aria-label="样式" value={String(attrs['style'] ?? 'line')} options={[{ value: 'line', label: '横线' }, { value: 'paren', label: '括号' }, { value: 'box', label: '方框' }]} onChange={(style) => set({ style: style === 'line' ? null : style })} /></div>
            <div className="rich-node-row"><span>宽度</span><InputNumber aria-label="宽度" min={1} max={80} suffix="字" value={Number(attrs['width'] ?? 5)} onChange={(width) => set({ width })} /></div>
          </>
        )}
        {isPicture && <div className="rich-node-row"><span>宽度</span><InputNumber aria-label="宽度" min={1} max={4000} suffix="像素" placeholder="原始大小" value={typeof attrs['w'] === 'number' ? attrs['w'] : null} onChange={(w) => set({ w })} /></div>}
        {node.type === 'imageBlock' && <div className="rich-node-row"><span>图注</span><Input aria-label="图注" maxLength={100} value={String(attrs['caption'] ?? '')} onChange={(event) => set({ caption: event.target.value || null })} /></div>}
        {node.type === 'inlineImage' && <div className="rich-node-row"><span>替代文字</span><Input aria-label="替代文字" maxLength={100} value={String(attrs['alt'] ?? '')} onChange={(event) => set({ alt: event.target.value || null })} /></div>}
        {node.type === 'inlineImage' && <div className="rich-node-row"><span>待补公式</span><Switch aria-label="待补公式" checked={attrs['pending'] === true} onChange={(on) => set({ pending: on || null })} /></div>}
        {node.type === 'writingLines' && (
          <>
            <div className="rich-node-row"><span>行数</span><InputNumber aria-label="行数" min={1} max={60} value={Number(attrs['n'] ?? 4)} onChange={(n) => set({ n: n ?? 4 })} /></div>
            <div className="rich-node-row"><span>样式</span><Segmented aria-label="样式" value={String(attrs['style'] ?? 'line')} options={[{ value: 'line', label: '横线' }, { value: 'grid', label: '作文格' }]} onChange={(style) => set({ style: style === 'grid' ? 'grid' : null })} /></div>
          </>
        )}
      </div>
    </EditorModal>
  )
}
