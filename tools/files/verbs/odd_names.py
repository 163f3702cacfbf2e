"""Names that parsers of options, URIs, patterns and shells misread."""

BRACKETS = [b"[x]", b"[a,b]", b"[]", b"[[x]]", b"[x", b"x]", b"[a][b]", b"[a", b"a]", b"[,]", b"[ ]",
            b"[a, b]", b"[\"a\"]", b"['a','b']", b"[x]y", b"y[x]", b"[a-c]", b"[^a]", b"[id]",
            b"[a,b,c]", b"[[a,b]]", b"[[]]", b"[-]", b"[%%]", b"[++]", b"[=]", b"(a)", b"<a>", b"[\n]"]
BRACES = [b"{}", b"{a,b}", b"{{a}}", b"{a", b"a}", b"{a..c}", b"${a}", b"{0}", b"{:d}", b"a{}b"]
COMMAS = [b"a,b", b",", b",,", b"a,", b",a", b";", b"&"]
SPECIAL_TO_CLI11 = [b"%%", b"++", b"a++", b"%", b"%s", b"%n", b"a%20b", b"%2F", b"%00"]
DASHES = [b"-a", b"--", b"---", b"-1", b"-.5", b"--x", b"--x=y", b"-x=y", b"--=", b"-=", b"--[x]",
          b"-[a,b]", b"- a", b"-\n", b"--\xff", b"-\xe2\x98\xba", b"a-", b"a--b"]
OPTIONS = [b"-r", b"-n", b"-p", b"-q", b"-h", b"-j", b"-j4", b"--help", b"--version",
           b"--json", b"--plugin", b"--plugin=a", b"--dry-run", b"--quiet",
           b"--continue-on-error", b"--in-process", b"--include", b"--include=*",
           b"--op-timeout=1"]
SUBCOMMANDS = [b"ls", b"cat", b"head", b"tail", b"stat", b"du", b"glob", b"exists", b"cmp", b"cp", b"mv", b"rm",
               b"touch", b"mkdir", b"sync", b"check", b"plugins", b"help", b"fsload"]
WORDS = [b"true", b"false", b"0", b"1", b"0x10", b"1K", b"null"]
BLANKS = [b" ", b" a", b"a ", b"a b", b"\n", b"a\n", b"\na", b"a\nb", b"\t", b"a\tb", b"\r",
          b"\xc2\xa0", b"\xe2\x80\xa8", b"\xef\xbb\xbfa"]
QUOTES = [b"'", b'"', b'""', b"'a'", b'"a"', b"`a`", b"a'b", b'a"b', b"'a", b'"a', b"\\", b"\\\\",
          b"\\a", b"a\\", b"\\n", b"\\0", b"\\x41", b"\\[x\\]", b"'a b'", b"$(a)", b"$a", b"$HOME"]
SHELL = [b"~", b"=", b"a=b", b"=a", b"#", b"#a", b"!", b"@", b"@a",
         b"@file", b"%a", b"*", b"**", b"?", b"a*", b"???", b"+"]
DOTS = [b"...", b".a", b"a.", b"..a", b".fsload-0123456789012345"]
COLONS = [b":", b"a:", b":a", b"a:b", b"ab:cd", b"C:", b"s3:", b"file:a", b"a:b:c"]
BYTES = ["\u00e4".encode(), "a\u0308".encode(), "\u263a".encode(), "\U0001f600".encode(),
         "\u65e5\u672c".encode(), b"\xff", b"\xfe\xff", b"a\xffb", b"\xc3", b"\x80",
         b"\xed\xa0\x80", b"\xc0\xaf", b"\x01", b"\x1b[31m", b"\x7f", bytes(range(1, 47))]
LONG = [b"x" * 255, b"[" + b"x" * 253 + b"]", b"-" * 255, b"\xff" * 255, "\u263a".encode() * 85,
        b" " * 255, b"," * 255]

NAMES = list(dict.fromkeys(sum([
    BRACKETS, BRACES, COMMAS, SPECIAL_TO_CLI11, DASHES, OPTIONS, SUBCOMMANDS, WORDS, BLANKS, QUOTES,
    SHELL, DOTS, COLONS, BYTES, LONG], [])))

# With folders: some look like a URI but are not, as a scheme has at least two
# characters and only certain ones; others are URIs unless they begin with "./".
PATHS = [b"x://y", b"a:/b", b"a:b/c", b"://a", b":/a", b"1a://b", b"a-b://c", b"a_b://c", b"./s3://a",
         b"./ab://y", b"./posix://a", b"[a]/[b]", b"{a,b}/c", b"-a/-b", b"--/--", b"~/a", b" / ",
         b"./-", b"./--", b"./[x]", b"cp/mv", b"@a/@b", b"\xff/\xfe", b"*/?", b"\n/\n", b"\\/\\"]
