/** HTML as word processors put it on the clipboard. */

/** Takes away the markup around what was copied that says nothing, and keeps the formula of the two forms that Word gives of each. */
export function cleanClipboard(html: string): string {
  const fragment = /<!--StartFragment-->([\s\S]*)<!--EndFragment-->/.exec(html)?.[1] ?? html
  return fragment
    // Word keeps a formula as MathML or OMML in a comment, and a picture of it behind; the formula is worth more.
    .replace(/<!--\[if gte msEquation 12\]>([\s\S]*?)<!\[endif\]-->(?:\s*<!\[if !msEquation\]>[\s\S]*?<!\[endif\]>)?/g, '$1')
    .replace(/<!--\[if[\s\S]*?<!\[endif\]-->/g, '').replace(/<!\[(?:if|endif)[^>]*>/g, '').replace(/<\/?o:p[^>]*>/g, '')
    // Lists of Word are paragraphs with a drawn number.
    .replace(/<span[^>]*mso-list:\s*Ignore[^>]*>([\s\S]*?)<\/span>/gi, (_whole, number: string) => number.replace(/<[^>]+>|&nbsp;/g, '').trim())
}
