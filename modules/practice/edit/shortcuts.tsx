const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['Ctrl + S', '保存'], ['Ctrl + 回车', '保存并继续新增'], ['Alt + 1 … 6', '换题型：单选、多选、填空、解答、设问在题干中、设问在题末'], ['Tab / Shift + Tab', '下一处 / 上一处'], ['回车', '在选项里：到下一个选项，最后一个后面新增'],
  ['Ctrl + M', '插入公式'], ['回车或双击', '修改选中的公式、空、图片'], ['Ctrl + K', '插入填空'], ['Ctrl + J', '插入选择括号'], ['Ctrl + H', '插入设空（设问在题干中）'], ['$…$', '粘贴带 $ 的文字，公式自动识别'],
  ['Ctrl + B / I / U', '加粗 / 斜体 / 下划线'], ['Ctrl + .', '着重号'], ['Ctrl + = / Ctrl + Shift + =', '下标 / 上标'], ['Ctrl + Z / Ctrl + Shift + Z', '撤销 / 重做'], ['[ / ]', '原题的上一张 / 下一张图片，光标不在输入框时'], ['+ / - / 0', '原题放大 / 缩小 / 适合宽度，光标不在输入框时'], ['Alt + L', '采用建议的知识点和难度'], ['F1', '显示快捷键'],
]

/** The keys of the editor. */
export function Shortcuts() {
  return <dl className="shortcuts">{KEYS.map(([keys, what]) => <div key={keys}><dt>{keys.split(' / ').map((one, index) => <span key={one}>{index > 0 && ' / '}<kbd>{one}</kbd></span>)}</dt><dd>{what}</dd></div>)}</dl>
}
