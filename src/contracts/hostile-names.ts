/** Names as nobody should give them: what a page, a table, a terminal, a shell or a program could take for its own. */

export const hostileNames: readonly string[] = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  "</title></style></svg></td><iframe src=//x>",
  "]]><!--",
  "&lt;b&gt; &amp; &#x3c;i&#x3e;",
  "$(rm -rf x) `rm x` $PATH ; rm x",
  "\\input{secret} \\write18{rm x} \\\\[9cm] ^^5cinput",
  "50% of $10 & #1_{x}^2~y\\z",
  "[9cm] *starred",
  "a|b\\|c || d",
  "**bold** _it_ __very__ `code` ~~gone~~ $x^2$",
  "[x](javascript:alert(1)) ![y](//x/y.png)",
  "# heading",
  "- item",
  "1. item",
  "=cmd|' /C calc'!A1",
  "+1+1",
  "-1+1",
  "@SUM(1)",
  "\t=1",
  "\r=1",
  "\u001b[31mRED\u001b]0;title\u0007\u001b[2J",
  "\u009b31m C1 \u0085 \u007f",
  "null \u0000 bell \u0007 back \b\b\b",
  "\u202etxt.exe\u202c \u2066isolate\u2069 \u200fmark",
  "in\u200bvis\u200dible\ufeff \u{e0041}tag",
  "line\nbreak\r\nagain\u2028and\u2029again",
  "\n\n```\n# out of the fence\n",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "toString",
  "$& $' $` $1 $$ $<x>",
  "undefined",
  "nan",
  "–−±×≥≤★αβτρ",
  "日本語 العربية עברית 👩‍🔬",
  "\ud800 alone",
  " ",
  "x".repeat(5000),
];

/** What no name may leave in a text for people; tabs and line breaks are the text's own. */
export const steering = /[^\P{Cc}\n\t]|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

/** Found in a page that holds a tag or an attribute of a name. */
export const markupOfNames =
  /<(script|svg\/|iframe|img(?! src="data:image\/png;base64,)|i>|b>|!--)|<\w+(\s[\w:-]+="[^"]*")*\s(onerror|onload)=/i;
