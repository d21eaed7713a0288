"""Bots for tests: the same modest player in several languages, and faulty ones in Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.needs import needs

PYTHON = """
import sys
while True:
    head = [sys.stdin.readline() for _ in range(3)]
    if not head[2]: break
    actions = int(head[2].split()[1]) if len(head[2].split()) > 1 else 0
    for _ in range(actions): sys.stdin.readline()
    for _ in range(int(sys.stdin.readline())): sys.stdin.readline()
    print("PASS", flush=True)
"""

CPP = r"""
#include <iostream>
#include <sstream>
#include <string>
int main() {
    std::string line, rest;
    while (std::getline(std::cin, line) && std::getline(std::cin, line) && std::getline(std::cin, line)) {
        std::istringstream third(line);
        int hand = 0, actions = 0, cards = 0;
        third >> hand >> actions;
        for (int i = 0; i < actions; i++) std::getline(std::cin, line);
        std::getline(std::cin, line);
        std::istringstream(line) >> cards;
        for (int i = 0; i < cards; i++) std::getline(std::cin, line);
        std::cout << "PASS" << std::endl;
    }
}
"""

JAVA = """
import java.io.*;
public class Bot {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        while (in.readLine() != null && in.readLine() != null) {
            String[] third = in.readLine().split(" ");
            int actions = third.length > 1 ? Integer.parseInt(third[1]) : 0;
            for (int i = 0; i < actions; i++) in.readLine();
            int cards = Integer.parseInt(in.readLine());
            for (int i = 0; i < cards; i++) in.readLine();
            System.out.println("PASS");
        }
    }
}
"""

JAVASCRIPT = """
const lines = [];
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  lines.push(line);
  if (lines.length < 4) return;
  const actions = Number(lines[2].split(' ')[1] || 0);
  if (lines.length < 4 + actions) return;
  if (lines.length < 4 + actions + Number(lines[3 + actions])) return;
  lines.length = 0;
  console.log('PASS');
});
"""

_TOOLS = {"cpp": "g++", "java": "javac", "javascript": "node"}
LANGUAGES = ["python", *(pytest.param(language, marks=needs(tool)) for language, tool in _TOOLS.items())]


def passing_bot(language: str, folder: Path) -> str:
    """The command line of a bot that always passes."""
    if language == "cpp":
        (folder / "bot.cpp").write_text(CPP)
        subprocess.run(["g++", "-O1", "-o", str(folder / "bot"), str(folder / "bot.cpp")], check=True)
        return str(folder / "bot")
    if language == "java":
        (folder / "Bot.java").write_text(JAVA)
        subprocess.run(["javac", "-d", str(folder), str(folder / "Bot.java")], check=True)
        return f"java -Xmx256m -cp {folder} Bot"
    name, text = ("bot.js", JAVASCRIPT) if language == "javascript" else ("bot.py", PYTHON)
    (folder / name).write_text(text)
    return f"{'node' if language == 'javascript' else sys.executable} {folder / name}"


def faulty_bot(folder: Path, fault: str, after: int = 0) -> str:
    """The command line of a bot that passes some times and then runs a Python statement instead of answering."""
    path = folder / f"faulty{abs(hash((fault, after)))}.py"
    answer = '    print("PASS", flush=True)\n'
    spoilt = f"    n += 1\n    if n > {after}:\n        {fault}\n    else:\n    {answer}"
    path.write_text("import os, signal, time\nn = 0\n" + PYTHON.replace(answer, spoilt))
    return f"{sys.executable} {path}"
